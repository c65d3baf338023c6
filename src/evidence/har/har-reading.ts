import type { Severity } from '#api/exam.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import type { FactSource } from './providers/provider-har.ts';

/** What a request of another provider is for, as readers see it, in the order of a sign-in. Found by its shape, never by its host. */
export const foreignRoleTitles = {
	authorization: 'Authorization',
	sign_in: 'Sign-in pages',
	callback: 'Callback',
	application: 'Application',
	par: 'Pushed authorization',
	device: 'Device authorization',
	token: 'Token',
	keys: 'Keys',
	metadata: 'Metadata',
	userinfo: 'User information',
	introspection: 'Introspection',
	revocation: 'Revocation',
	sign_out: 'Sign-out',
	resource: 'Resource',
	foreign: 'Other'
} as const;
export type ForeignRole = keyof typeof foreignRoleTitles;
export const isForeignRole = (name: string): name is ForeignRole => Object.hasOwn(foreignRoleTitles, name);
export const foreignRoles: readonly ForeignRole[] = Object.keys(foreignRoleTitles).filter(isForeignRole);

/** The claims of a token that are read before it is removed. All others are removed with it. */
export type ForeignClaims = {
	readonly iss?: string;
	readonly aud?: readonly string[];
	/** Unix seconds. */
	readonly iat?: number;
	readonly exp?: number;
};

/** A JWT of an exchange. Its signature was not verified. */
export type ForeignToken = { readonly label: string; readonly claims: ForeignClaims };

/** One exchange of a file, without its secrets. */
export type ForeignExchange = {
	/** In the form of the traffic log. Without a trace: Tollgate did not check it. In its texts, `[code 1]` is in place of a value. */
	readonly entry: TrafficEntry;
	readonly role: ForeignRole;
	/** Why it has this role: `By response_type, client_id`. */
	readonly reason: string;
	readonly from: 'browser' | 'application';
	readonly to: 'application' | 'authorization' | 'resource';
	/** `https://auth.example`. */
	readonly origin: string;
	readonly host: string;
	/** What it led to, in a few words: `Login page`, `code, state`, `invalid_token`. */
	readonly outcome: string;
	/** `watch`: recorded in the process of a client. */
	readonly source: 'file' | 'watch';
	/** Its number in the file, from 1. */
	readonly position: number;
	readonly tokens: readonly ForeignToken[];
};

/** The requests of one role. */
export type RoleSummary = {
	readonly role: ForeignRole;
	readonly count: number;
	readonly reason: string;
	/** The most frequent first, at most 20. `key` is that of `HarOptions.roles`. */
	readonly endpoints: readonly { readonly key: string; readonly count: number }[];
};

/** A kind of value that was removed. */
export type RemovedValue = {
	/** `code`, `Cookie`. */
	readonly name: string;
	readonly count: number;
	/** The first characters of a long value: `aut7…`. */
	readonly example: string;
	/** `[code 1]`, `names only`, `[removed]`. */
	readonly keptAs: string;
};

/** What a file says about a rule, worst first. `difference`: the provider differs from the standards, and no client is wrong. */
export const findingStates = ['failed', 'difference', 'shown', 'not_shown'] as const;
export type FindingState = (typeof findingStates)[number];

/** The states as readers see them. */
export const findingTitles: Readonly<Record<FindingState, string>> = {
	failed: 'Failed',
	difference: 'Differs from the standards',
	shown: 'Shown',
	not_shown: 'Not shown'
};

/** How a provider does what a finding is about: `This is Google’s form of a callback.` Names the provider, so it leaves no browser. */
export type ProviderForm = { readonly text: string; readonly source: FactSource };

/** What the file says about one rule. */
export type ForeignFinding = {
	/** That of a rule of the exam, or of a cause: `cause.redirect_uri`. */
	readonly id: string;
	readonly title: string;
	readonly state: FindingState;
	readonly severity?: Severity;
	/** What happened, in one or two sentences. */
	readonly text: string;
	/** `response`: the text quotes a response. `inferred`: it follows from several exchanges. */
	readonly basis: 'response' | 'inferred';
	readonly cause?: string;
	readonly fix?: string;
	/** What is missing, of `not_shown`: `back channel`. */
	readonly needs?: string;
	readonly sections: readonly string[];
	/** The ids of at most 10 exchanges, oldest first. */
	readonly exchanges: readonly string[];
	/** Of a simulated provider, by its file. */
	readonly form?: ProviderForm;
};

/** A request that must have happened and is not in the file. */
export type ForeignGap = {
	/** The id of the exchange before it. */
	readonly after: string;
	readonly role: ForeignRole;
	/** `Token request: not in this file`. */
	readonly text: string;
	readonly needs: string;
};

/** What a file contains. Nothing in it is a secret of the file. */
export type HarContent = {
	readonly kind: 'read';
	/** What recorded it: `Chrome`. Empty if unknown. */
	readonly recorder: string;
	/** When the first request began, in Unix milliseconds. */
	readonly startedAt: number;
	/** All requests of the file. */
	readonly total: number;
	/** The requests of a sign-in, oldest first. */
	readonly exchanges: readonly ForeignExchange[];
	readonly roles: readonly RoleSummary[];
	readonly removed: readonly RemovedValue[];
	/** In the order of `findingStates`. */
	readonly findings: readonly ForeignFinding[];
	readonly gaps: readonly ForeignGap[];
	/** Whether the recorder kept Cookie headers at all. */
	readonly hasCookies: boolean;
	/** Of a file that another was added to: the ids of its exchanges that share no value and no time with the others. */
	readonly unmatched?: readonly string[];
	/** What the file leaves out, in whole sentences. */
	readonly notes: readonly string[];
};

/** Why a file cannot be read. */
export type HarProblem = {
	readonly kind: 'unreadable';
	/** `The file ends in the middle of entry 88.` */
	readonly error: string;
	readonly expected: string;
	/** Where it was found, in UTF-16 code units from 0. */
	readonly at?: number;
	/** What is there, without values. */
	readonly found: string;
	readonly whatToDo: string;
	/** How many entries before the mistake are whole. `readHar` with `part` reads them. */
	readonly readable: number;
};

export type HarReading = HarContent | HarProblem;

export type HarOptions = {
	/** Reads the whole entries of a file that is cut. */
	readonly part?: boolean;
	/** Roles that the user chose, by the key of an endpoint. */
	readonly roles?: ReadonlyMap<string, ForeignRole>;
	/** Replaces the host names of the application by `app.example`. */
	readonly hideApplication?: boolean;
};

/** The name of `tollgate watch` in its recordings. */
export const watchRecorder = 'Tollgate watch';
/** The longest file that is read, in bytes. */
export const maxHarSize = 50 * 1024 * 1024;
