import * as v from 'valibot';
import type { DialectName } from './dialect.ts';
import type { serviceSegments } from './service-path.ts';

/** Method and path of an endpoint. `{name}` is one segment, `{+name}` the rest of the path, which may contain slashes. */
export type EndpointKey = `${Method} /${(typeof serviceSegments)[number]}${'' | `/${string}`}`;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The groups of endpoints, in the order of the API reference. */
export const tags = {
	Authorization: 'Users sign in and decide here. Browsers get pages. Programs that prefer JSON get the same as data.',
	Tokens: 'Exchange a code, refresh an access token, revoke access.',
	Resources: 'Protected by an access token and a rate limit.',
	Sandbox: 'The sandbox as a whole, and who controls it.',
	Clock: 'Codes, tokens and windows follow the clock of the sandbox.',
	'Settings and faults': 'Lifetimes, limits, strictness, test cards and simulated errors.',
	'Held messages': 'Messages that wait for a decision, so that a flow can be watched and changed step by step.',
	'Traffic log': 'Every request with the checks that decided its response.',
	'Blacklist and tickets': 'Blacklisted addresses and their support tickets.',
	Applications: 'The registered clients of the sandbox.',
	Accounts: 'The users of the sandbox.',
	Credentials: 'The codes and tokens that are alive.',
	Classes: 'A sandbox for each student, and a board that shows where each one is.'
} as const;

/** The headers of responses that the OpenAPI document describes. */
export type HeaderName =
	| 'X-RateLimit-Limit'
	| 'X-RateLimit-Remaining'
	| 'X-RateLimit-Reset'
	| 'X-RateLimit-ResetTime'
	| 'RateLimit'
	| 'RateLimit-Policy'
	| 'WWW-Authenticate'
	| 'Retry-After'
	| 'Location'
	| 'Link'
	| 'Set-Cookie'
	| 'Content-Disposition'
	| 'Allow';

/** One status of an endpoint. */
export type DeclaredResponse = {
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

export type QueryParameters = Readonly<Record<string, string | undefined>>;

/** Everything about an endpoint that the service, the pages, the OpenAPI document and the documentation must agree on. */
export type Declaration = {
	/** Its name in the OpenAPI document and in links. Stable. */
	readonly id: string;
	readonly tag: keyof typeof tags;
	/** Two to five words. */
	readonly summary: string;
	readonly description?: string;
	/** What a request needs. Absent: access to the control API below `/control/`, nothing elsewhere. `class`: a key of the class. */
	readonly access?: 'everybody' | 'class' | 'access token' | 'client credentials' | 'session';
	/** The only dialect that has it. Absent: all. */
	readonly dialect?: DialectName;
	/** The query, as an object of texts. */
	readonly query?: v.GenericSchema<QueryParameters>;
	readonly body?: {
		readonly schema: v.GenericSchema;
		readonly form?: boolean;
		/** May be left out. */
		readonly optional?: boolean;
		/** The endpoint validates the body itself, with its own error messages. */
		readonly isUnchecked?: boolean;
		readonly example?: unknown;
	};
	/** The longest body in the root sandbox, in bytes. Absent: 64 KiB. */
	readonly bodyLimit?: number;
	/** The responses to valid requests. */
	readonly responses: Readonly<Record<number, DeclaredResponse>>;
	/** Why a request is rejected, by status. Those that all endpoints of its kind have are added. */
	readonly errors?: Readonly<Record<number, string | Readonly<Record<DialectName, string>>>>;
	/** A browser gets an HTML page, errors too. */
	readonly isPage?: boolean;
	/** The traffic log has its requests. Absent: below `/control/` only rejected ones, elsewhere all. */
	readonly isLogged?: boolean;
	/** Its name in the traffic log. Absent: the last fixed segment of its path. */
	readonly logName?: string;
	/** It deletes data, or ends access. */
	readonly destroys?: boolean;
};

/** Marks a field that only one dialect has. The OpenAPI document of a sandbox of the other one is without it. */
// Pages that use only a schema of the same file do not download it.
/* @__NO_SIDE_EFFECTS__ */
export function onlyIn<Input>(dialect: DialectName) {
	return v.metadata<Input, { readonly 'x-dialect': DialectName }>({ 'x-dialect': dialect });
}

/** Marks an optional field that one dialect requires. */
/* @__NO_SIDE_EFFECTS__ */
export function requiredIn<Input>(dialect: DialectName) {
	return v.metadata<Input, { readonly 'x-required-in': DialectName }>({ 'x-required-in': dialect });
}

/** Marks a field whose value each dialect says. The OpenAPI document of a sandbox has that value alone. */
/* @__NO_SIDE_EFFECTS__ */
export function saidBy<Input>(property: 'tokenType') {
	return v.metadata<Input, { readonly 'x-said-by': 'tokenType' }>({ 'x-said-by': property });
}

/** Endpoints by method and path. */
export type Declarations = { readonly [K in EndpointKey]?: Declaration };

/** Declares endpoints. Routes, the OpenAPI document, the client of the control API and the documentation are derived from them. */
// Pages that use only a schema of the same file do not download its declarations.
/* @__NO_SIDE_EFFECTS__ */
export function declare<const D extends Declarations>(endpoints: D): D {
	return endpoints;
}

/** The names of the variable segments of a path. */
export type PathParameters<Key> = Key extends `${string}{${infer Name}}${infer Rest}`
	? PlainName<Name> | PathParameters<Rest>
	: never;

type PlainName<Name extends string> = Name extends `+${infer Rest}` ? Rest : Name;

/** The JSON body that a client sends to an endpoint; undefined if it takes none. */
export type RequestBody<D> = D extends { body: { isUnchecked: true } }
	? unknown
	: D extends { body: { schema: infer S extends v.GenericSchema } }
		? v.InferInput<S> | (D extends { body: { optional: true } } ? undefined : never)
		: undefined;

/** The same as a handler gets it: validated, with defaults. */
export type ValidatedBody<D> = D extends { body: { isUnchecked: true } }
	? unknown
	: D extends { body: { schema: infer S extends v.GenericSchema } }
		? v.InferOutput<S>
		: undefined;

/** The query of an endpoint; undefined if it takes none. */
export type RequestQuery<D> = D extends { query: infer S extends v.GenericSchema<QueryParameters> }
	? v.InferInput<S>
	: undefined;

/** The JSON body of a successful response. */
export type ResponseBody<D> = D extends { responses: infer R } ? JsonOf<R[keyof R]> : never;

type JsonOf<R> = R extends { json: infer S extends v.GenericSchema } ? v.InferOutput<S> : never;

/** Data that can be sent as `T`: lists and objects may be read-only. */
export type Sendable<T> = T extends object ? { readonly [K in keyof T]: Sendable<T[K]> } : T;
