import type { Surroundings } from '../client.ts';

/** Where text goes. */
export type Output = {
	write(text: string): void;
	/** Whether a person looks at it: a terminal that can rewrite a line. */
	readonly isTerminal: boolean;
};

/** Everything outside the command-line companion: a process lends it, a test makes one up. */
export type CliEnvironment = {
	readonly env: Readonly<Record<string, string | undefined>>;
	/** The project's folder, below which a local Tollgate keeps its certificate. */
	readonly root: string;
	readonly out: Output;
	readonly err: Output;
	/** A fetch that also trusts these authorities (PEM); undefined: those that Node trusts. */
	readonly fetch: (authorities: readonly string[] | undefined) => Surroundings['fetch'];
	/** Opens the system's browser. Returns whether it seems to have worked. */
	readonly openBrowser: (address: string) => Promise<boolean>;
	/** Aborts when the person presses Ctrl-C. */
	readonly interrupted: AbortSignal;
	/** A signal that aborts after so many milliseconds. */
	readonly timeout: (milliseconds: number) => AbortSignal;
	/** This machine's clock, in milliseconds since 1970. */
	readonly now: () => number;
};
