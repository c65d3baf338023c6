import type { Sandbox } from './sandbox.ts';

/** What a case asks of its host beyond requests and answers; a host names those that it cannot give, and why. */
export type Capability =
	/** A target that goes out as it is written: not normalised, any byte. */
	| 'raw target'
	/** Headers of every name (Cookie, Origin, Host …), also twice. */
	| 'raw headers'
	/** Methods that a browser's fetch refuses (TRACE, CONNECT) or a body with GET. */
	| 'any method'
	/** Requests that come from a second network address. */
	| 'second address';

/**
 * One thing that every host must do alike. It runs in a fresh sandbox of its own, so that cases run in any order and at
 * once. Knows neither Node nor a test runner: it runs in a browser as well.
 */
export type Case = {
	/** The lines of checks.md that it shows, then the thing in words. */
	readonly name: string;
	readonly needs: readonly Capability[];
	readonly run: (at: Sandbox) => Promise<void>;
};

/** Names a case. */
export function testCase(name: string, run: (at: Sandbox) => Promise<void>, needs: readonly Capability[] = []): Case {
	return { name, needs, run };
}

/** What a host cannot show, and why. */
export type HostLimits = {
	readonly lacks?: Partial<Record<Capability, string>>;
	/** By the name of a case. */
	readonly except?: Readonly<Record<string, string>>;
};

/** Why a host cannot show a case; undefined where it can. */
export function skipReason(one: Case, limits: HostLimits): string | undefined {
	for (const need of one.needs) {
		const reason = limits.lacks?.[need];
		if (reason !== undefined) return reason;
	}
	return limits.except?.[one.name];
}
