import type { Sandbox } from './sandbox.ts';

/** What a case needs of its host besides plain requests and responses. A host names those that it lacks, and why. */
export type Capability =
	/** A target that is sent as written: not normalized, any byte. */
	| 'raw target'
	/** Headers of every name (Cookie, Origin, Host …), also twice. */
	| 'raw headers'
	/** Methods that fetch rejects (TRACE, CONNECT), or a body with GET. */
	| 'any method'
	/** Requests from a second network address. */
	| 'second address'
	/** The server for agents, which needs a Node server. */
	| 'agents';

/** What can change the result of a case besides the service. */
export type Part = 'host' | 'store';

/**
 * One behavior that all hosts share. Each case has a new sandbox, so that cases run in any order and in parallel. It uses neither
 * Node nor a test runner, so that it also runs in a browser.
 */
export type Case = {
	/** The ids of checks.md that it tests, then the behavior. */
	readonly name: string;
	readonly parts: readonly Part[];
	readonly needs: readonly Capability[];
	readonly run: (at: Sandbox) => Promise<void>;
};

/** Creates a case from its name, what it does and what it needs. */
export type CaseCreator = (name: string, run: Case['run'], needs?: readonly Capability[]) => Case;

/** A case that ends within the service: every host and store gives the same result. */
export const testCase = caseOf();

/** A case whose result a host can change: by headers, cookies, methods, limits of bodies, encodings, no response. */
export const hostCase = caseOf('host');

/** A case whose result a store can change: by atomic changes, deletions, times. */
export const storeCase = caseOf('store');

/** A case of an event stream, which a host sends and a store feeds. */
export const streamCase = caseOf('host', 'store');

function caseOf(...parts: Part[]): CaseCreator {
	return (name, run, needs = []) => ({ name, parts: needs.length > 0 ? ['host', ...parts] : parts, needs, run });
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
