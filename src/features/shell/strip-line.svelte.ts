/** One exchange in the strip. It contains no secret. */
export type StripLine = {
	/** `X-Request-Id`. */
	readonly id: string;
	/** HTTP status; null without a response. */
	readonly status: number | null;
	readonly method: string;
	/** As it is read: `/ws/v2.0/character/Mara Vell`. */
	readonly path: string;
	/** The last segment of the path. */
	readonly shortPath: string;
	readonly kind: 'accepted' | 'rejected' | 'no_response';
	/** What the service did: `Tokens issued`. */
	readonly outcome: string;
	/** How many checks passed, where nothing else is to be said: `12 checks passed`. */
	readonly passed: string | undefined;
	/** The name of the application, and the user. */
	readonly who: readonly string[];
	/** Sandbox clock, in milliseconds. */
	readonly at: number;
	/** Ids of the exchanges before and after it. */
	readonly previous: string | undefined;
	readonly next: string | undefined;
	/** It is of a file, so the log does not know it. */
	readonly isFile?: true;
};

/**
 * What the strip shows. The inspector, which is loaded after the page, keeps it up to date. `file`: an open file, in place
 * of the log. `isRead`: it has read the log.
 */
export const strip: { line: StripLine | undefined; file?: StripLine | undefined; isRead: boolean } = $state({
	line: undefined,
	file: undefined,
	isRead: false
});
