import type { DialectName } from '#api/dialect.ts';
import type { CheckMistakes } from '#api/check-table/check-record.ts';
import type { Cause, CauseOf, CheckId, MistakeId } from '#api/checks.ts';
import type { BuilderApplication } from '../application.ts';
import type { RequestDraft } from '../draft.ts';
import type { Kind, World } from '#client/world.ts';
import type { Drafts } from '../drafts.ts';
import type { RequestKind } from '../request-kinds.ts';

export type MistakeContext = {
	readonly application: BuilderApplication;
	/** Another application of the sandbox. */
	readonly other: BuilderApplication;
	/** False: the sandbox also accepts `Bearer` and HTTP Basic. */
	readonly isStrict: boolean;
	/** Whether the last authorization request had a code challenge. */
	readonly usesPkce: boolean;
	/** The last access token. Empty without one. */
	readonly accessToken: string;
	/** The correct requests. */
	readonly drafts: Drafts;
	readonly world: World;
	/** The kind whose records are requested. Undefined: the world has none. */
	readonly recordKind: Kind | undefined;
	/** Whether it is bound to a key. Absent: no. */
	readonly isBound?: boolean;
	/** Whether DPoP proofs need a nonce. Absent: no. */
	readonly usesNonce?: boolean;
	/** Whether the authorization request refers to a pushed one. Absent: no. */
	readonly isPushed?: boolean;
};

/** The check that rejects a mistake, and its cause if it can fail for several. */
export type Rejection = { readonly check: CheckId; readonly cause?: Cause | undefined };

/** The service accepts the mistake. `why`: what is still wrong with it. `check`: the check that accepts it. */
export type Tolerance = { readonly check: CheckId; readonly why: string };

/** What code has of a mistake. Its texts are in the record of its check, in `src/content/checks`. */
export type MistakeCode = {
	/** Unique among the mistakes of a kind. */
	readonly id: MistakeId;
	readonly kinds: readonly RequestKind[];
	/** The only dialect in which it is what `expect` says. Absent: all. */
	readonly dialect?: DialectName;
	/** What the change does besides the request itself. */
	readonly before?: 'end_access_token' | 'use_up_limit' | 'narrow_token';
	/** The claim of a signed value that it changes, where it changes one. */
	readonly claim?: string;
	/** How often the request is sent. The last response counts. */
	readonly times?: 2;
	change(draft: RequestDraft, context: MistakeContext): RequestDraft;
	expect(context: MistakeContext): Rejection | Tolerance;
};

/** A common change that makes a correct request wrong, or careless. */
export type Mistake = MistakeCode & { readonly label: string };

const files = import.meta.glob<Readonly<Record<string, CheckMistakes>>>('../../../content/checks/*.yaml', {
	eager: true,
	import: 'default',
	query: '?mistakes'
});
const texts = new Map(
	Object.values(files)
		.flatMap((records) => Object.values(records))
		.flatMap(({ mistakes = {} }) => Object.entries(mistakes))
);

/** A mistake with its label. */
export function labeled(mistake: MistakeCode): Mistake {
	return { ...mistake, label: texts.get(mistake.id)?.label ?? '' };
}

/** The service accepts a mistake. Its text says what is wrong with it. @param check that accepts it */
export function accepted(check: CheckId, mistake: MistakeId): Tolerance {
	return { check, why: texts.get(mistake)?.accepted ?? '' };
}

/** A rejection that does not depend on anything. */
export function rejectedBy<Id extends CheckId>(check: Id, cause?: Extract<Cause, CauseOf<Id>>): () => Rejection {
	const rejection = { check, cause };
	return () => rejection;
}
