import type { Sandbox } from './sandbox.ts';

/** What a case needs of its host besides plain requests and responses. A host names those that it lacks, and why. */
export type Capability =
	/** A target that is sent as written: not normalised, any byte. */
	| 'raw target'
	/** Headers of every name (Cookie, Origin, Host …), also twice. */
	| 'raw headers'
	/** Methods that fetch rejects (TRACE, CONNECT), or a body with GET. */
	| 'any method'
	/** Requests from a second network address. */
	| 'second address';

/**
 * One behaviour that all hosts share. Each case has a new sandbox, so that cases run in any order and in parallel. It uses neither
 * Node nor a test runner, so that it also runs in a browser.
 */
export type Case = {
	/** The ids of checks.md that it tests, then the behaviour. */
	readonly name: string;
	readonly needs: readonly Capability[];
	readonly run: (at: Sandbox) => Promise<void>;
};

/** Creates a case. */
export function testCase(name: string, run: (at: Sandbox) => Promise<void>, needs: readonly Capability[] = []): Case {
	return { name, needs, run };
}

/** What a host cannot run, and why. */
export type HostLimits = {
	readonly lacks?: Partial<Record<Capability, string>>;
	/** By the name of a case. */
	readonly except?: Readonly<Record<string, string>>;
};

/** Why a host cannot run a case. Undefined if it can. */
export function skipReason(one: Case, limits: HostLimits): string | undefined {
	for (const need of one.needs) {
		const reason = limits.lacks?.[need];
		if (reason !== undefined) return reason;
	}
	return limits.except?.[one.name];
}
