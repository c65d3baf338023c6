import type { DialectName } from '#api/dialect.ts';
import type { Cause, CauseOf, CheckId } from '#api/checks.ts';
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

/** A common change that makes a correct request wrong, or careless. */
export type Mistake = {
	/** Unique among the mistakes of a kind. */
	readonly id: string;
	readonly label: string;
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

/** A rejection that does not depend on anything. */
export function rejectedBy<Id extends CheckId>(check: Id, cause?: Extract<Cause, CauseOf<Id>>): () => Rejection {
	const rejection = { check, cause };
	return () => rejection;
}
