import type { DialectName } from '#api/dialect.ts';
import type { Kind, World } from '#client/world.ts';
import { kindLabel, kindsOf, requestKinds, type BuilderProvider, type RequestKind } from './request-kinds.ts';

/** What a link to the request builder opens. */
export type BuilderStart = {
	readonly kind: RequestKind;
	/** The id of a mistake of this kind. */
	readonly mistake: string;
};

/** The requests of a dialect with their names, for a select. @param kind whose records are requested. Absent: the first one */
export function kindOptions(
	{ resource, kinds }: Pick<World, 'resource' | 'kinds'>,
	dialect: DialectName,
	kind: Kind | undefined = kinds?.[0],
	provider?: BuilderProvider
): { value: RequestKind; label: string }[] {
	return kindsOf(dialect, kind, provider).map((value) => ({
		value,
		label: kindLabel(value, { resource, kind, provider })
	}));
}

/** The path and query of the page, for a request with a mistake. */
export function builderLink({ kind, mistake }: BuilderStart): string {
	return `/request?${new URLSearchParams({ kind, mistake }).toString()}`;
}

/**
 * Reads the query of the page.
 * @returns undefined where it names no request
 */
export function readBuilderLink(search: string): BuilderStart | undefined {
	const params = new URLSearchParams(search);
	const kind = requestKinds.find((one) => one === params.get('kind'));
	return kind && { kind, mistake: params.get('mistake') ?? '' };
}
