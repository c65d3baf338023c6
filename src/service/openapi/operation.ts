import type * as v from 'valibot';

/** The groups of operations, in the order of the reference. */
export const tags = {
	Authorization: 'Users sign in and decide here. Browsers get pages. Programs that prefer JSON get the same as data.',
	Tokens: 'Exchange a code, refresh an access token, revoke access.',
	Resources: 'Protected by an access token and a rate limit.',
	Sandbox: 'The sandbox as a whole, and who controls it.',
	Clock: 'Codes, tokens and windows follow the clock of the sandbox.',
	'Settings and faults': 'Lifetimes, limits, strictness, test cards and simulated errors.',
	'Traffic log': 'Every request with the checks that decided its response.',
	'Blacklist and tickets': 'Blacklisted addresses and their support tickets.',
	Applications: 'The registered clients of the sandbox.',
	Accounts: 'The users of the sandbox.',
	Credentials: 'The codes and tokens that are alive.'
} as const;

export type Tag = keyof typeof tags;

/** The headers of responses that the document describes. */
export type HeaderName =
	| 'X-RateLimit-Limit'
	| 'X-RateLimit-Remaining'
	| 'X-RateLimit-Reset'
	| 'X-RateLimit-ResetTime'
	| 'WWW-Authenticate'
	| 'Retry-After'
	| 'Location'
	| 'Set-Cookie'
	| 'Content-Disposition'
	| 'Allow';

/** One status of an operation. */
export type OperationResponse = {
	readonly description: string;
	/** The body as JSON. */
	readonly json?: v.GenericSchema;
	/** The root element of the XML form, if there is one. */
	readonly xml?: string;
	/** Browsers get a page. */
	readonly page?: boolean;
	/** The body is a stream of server-sent events. */
	readonly events?: boolean;
	/** Headers that are always there, besides `X-Request-Id`. */
	readonly headers?: readonly HeaderName[];
};

/** What the document says about one row of the route table. */
export type Operation = {
	readonly tag: Tag;
	/** Where the name of the endpoint is not unique. */
	readonly id?: string;
	/** Two to five words. */
	readonly summary: string;
	readonly description?: string;
	/** The query, as an object of texts. */
	readonly query?: v.GenericSchema;
	readonly body?: {
		readonly schema: v.GenericSchema;
		readonly form?: boolean;
		/** May be left out. */
		readonly optional?: boolean;
		readonly example?: unknown;
	};
	/** The responses to valid requests. */
	readonly responses: Readonly<Record<number, OperationResponse>>;
	/** Why a request is rejected, by status. Those that the route implies are added. */
	readonly errors?: Readonly<Record<number, string>>;
	/** What it needs besides access to the control API. */
	readonly access?: 'access token' | 'client credentials' | 'session';
	/** It deletes data, or ends access. */
	readonly destroys?: boolean;
};

/** By method and path; `{name}` is one segment. */
export type Operations = Readonly<Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, Operation>>;
