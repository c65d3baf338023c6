import type { Writable } from 'node:stream';

/** What the command-line client uses of its process. Tests pass their own. */
export type CliEnvironment = {
	readonly env: Readonly<Record<string, string | undefined>>;
	/** The project's folder. A local Tollgate stores its CA certificate below it. */
	readonly root: string;
	/** Receives results and nothing else. */
	readonly stdout: Writable;
	/** Receives progress, notes and errors. */
	readonly stderr: Writable;
	/** Opens the user's browser. Resolves to false if no browser was started. */
	readonly openBrowser: (url: string) => Promise<boolean>;
	/** Aborts on Ctrl-C. */
	readonly interrupted: AbortSignal;
};
