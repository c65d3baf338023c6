import { capitalize } from '#client/words.ts';
import type { World } from '#client/world.ts';
import { requestKinds, type RequestKind } from './draft.ts';

/** What a link to the request builder opens. */
export type BuilderStart = {
	readonly kind: RequestKind;
	/** The id of a mistake of this kind. */
	readonly mistake: string;
};

/** The names of the requests. */
export function kindLabels({ resource }: Pick<World, 'resource'>): Readonly<Record<RequestKind, string>> {
	return {
		authorization: 'Authorization',
		exchange: 'Code exchange',
		refresh: 'Refresh',
		character: capitalize(resource.singular),
		ratelimits: 'Rate limits',
		revoke: 'Revocation'
	};
}

/** The requests with their names, for a select. */
export function kindOptions(world: Pick<World, 'resource'>): { value: RequestKind; label: string }[] {
	const labels = kindLabels(world);
	return requestKinds.map((value) => ({ value, label: labels[value] }));
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
