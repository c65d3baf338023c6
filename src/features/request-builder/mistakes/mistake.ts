import type { BuilderApplication } from '../application.ts';
import type { Draft, RequestKind } from '../draft.ts';

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
};

/** The check that rejects a mistake: its id, its title, and its cause where it can fail for several. */
export type Rejection = { readonly check: string; readonly title: string; readonly cause?: string };

/** The service accepts the mistake. `why`: what is still wrong with it. `check`: the check that accepts it. */
export type Tolerance = { readonly check: string; readonly why: string };

/** A common change that makes a correct request wrong, or careless. */
export type Mistake = {
	/** Unique among the mistakes of a kind. */
	readonly id: string;
	readonly label: string;
	readonly kinds: readonly RequestKind[];
	/** What the change does besides the request itself. */
	readonly before?: 'end_access_token';
	/** How often the request is sent. The last response counts. */
	readonly times?: 2;
	change(draft: Draft, context: MistakeContext): Draft;
	expect(context: MistakeContext): Rejection | Tolerance;
};

/** A rejection that does not depend on anything. */
export function rejectedBy(check: string, title: string, cause?: string): () => Rejection {
	const rejection = cause === undefined ? { check, title } : { check, title, cause };
	return () => rejection;
}
