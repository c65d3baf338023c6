import * as v from 'valibot';
import { endpointKinds } from './endpoint-kinds.ts';

/** A value of a response with `{names}` in braces. A text that is one name alone becomes its value, and is left out without one. */
export type Template = string | number | boolean | null | readonly Template[] | { readonly [name: string]: Template };

export const text = v.pipe(v.string(), v.minLength(1, 'Write at least one character.'));
const texts = v.pipe(v.array(text), v.readonly());
const fields = v.pipe(v.record(v.string(), v.string()), v.readonly());
/**
 * Header fields of responses. Worlds are by anyone, and all sandboxes have one origin, so only those that say something of limits and
 * tokens, and none that browsers and proxies obey.
 */
const responseFields = v.pipe(
	v.record(
		v.pipe(
			v.string(),
			v.regex(
				/^(?:x-(?!accel|sendfile|lighttpd|litespeed|reproxy|content|frame|xss|dns|download|permitted)[\w-]+|[\w-]*limit[\w-]*|retry-after|www-authenticate|cache-control|pragma)$/i,
				'Use X- fields, fields of limits, Retry-After, WWW-Authenticate, Cache-Control or Pragma.'
			)
		),
		v.pipe(v.string(), v.regex(/^[ -~]{0,1000}$/, 'Use at most 1,000 printable ASCII characters.'))
	),
	v.readonly()
);
const status = v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599));
/** Seconds of at most a year, as the settings of a sandbox have them; or a number of requests. */
const whole = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(31_536_000));
const template: v.GenericSchema<Template> = v.union([
	v.string(),
	v.number(),
	v.boolean(),
	v.null(),
	v.array(v.lazy(() => template)),
	v.record(
		v.string(),
		v.lazy(() => template)
	)
]);

/** What the checks of the service read in every dialect. */
const core = {
	/** Schemes that resources accept. The first one is in challenges. */
	schemes: v.pipe(v.array(v.picklist(['OAuth', 'Bearer', 'DPoP'])), v.readonly()),
	/** `token_type` of token responses. */
	tokenType: v.picklist(['OAuth', 'Bearer']),
	tokenInQuery: v.boolean(),
	/** How a client proves who it is: in the form, by HTTP Basic, or not at all (installed applications, RFC 8252). */
	authentication: v.pipe(v.array(v.picklist(['post', 'basic', 'none'])), v.readonly()),
	pkce: v.picklist(['optional', 'required']),
	/** `default`: a request without `scope` asks for the permission that reads characters (RFC 6749, section 3.3). */
	scope: v.picklist(['required', 'default']),
	/** Whether authorization responses name their issuer (RFC 9207). */
	iss: v.boolean(),
	/** Hosts of the loopback redirect URIs of installed applications. `any`: 127.0.0.1 and [::1], too. */
	loopback: v.picklist(['localhost', 'any']),
	outOfBand: v.boolean(),
	/**
	 * Which code exchanges lead to a refresh token. `offline_consent`: with `access_type=offline`, and only after the user has decided on
	 * the consent page. `scope`: with one of `refreshScopes`.
	 */
	refreshFor: v.picklist(['first_offline', 'offline_consent', 'scope', 'always', 'never']),
	/**
	 * `rotated`: a refresh token works once, and a second use ends what it led to (RFC 9700, section 4.14.2). `added`: each refresh returns
	 * another one, and the old one still works.
	 */
	refresh: v.picklist(['kept', 'rotated', 'added']),
	revocation: v.picklist(['GET', 'POST']),
	/** The response over the rate limit, and whether responses have `RateLimit` fields. */
	limit: v.pipe(v.strictObject({ status: v.picklist([400, 429]), fields: v.boolean() }), v.readonly()),
	/** Whether there are metadata documents, introspection and registration. */
	metadata: v.boolean()
} as const;

const errorCase = v.pipe(
	v.strictObject({
		/** Ids of checks, each alone or with a cause: `token.client_authenticated unknown_client`. */
		checks: texts,
		status: v.exactOptional(status),
		error: v.exactOptional(text),
		description: v.exactOptional(text),
		body: v.exactOptional(template),
		/** Further values of the template of the body. */
		values: v.exactOptional(v.pipe(v.record(v.string(), template), v.readonly()))
	}),
	v.readonly()
);

const errors = v.pipe(
	v.strictObject({
		/** Of every error of OAuth (400, 401, 403). Absent: that of the standard. */
		status: v.exactOptional(status),
		/** An empty text: none. */
		body: v.exactOptional(template),
		headers: v.exactOptional(responseFields),
		cases: v.exactOptional(v.pipe(v.array(errorCase), v.readonly()))
	}),
	v.readonly()
);

const endpoint = v.pipe(
	v.strictObject({
		kind: v.picklist(endpointKinds),
		/** The real one. `{tenant}` is any part of a host or path. Its name is the usual value. */
		url: v.pipe(
			v.string(),
			// Two variables without a slash between them are a pattern that takes seconds to find that a long path does not fit.
			v.regex(
				/^https:\/\/(?!.{1000}|.*\}[^/]*\{|(?:.*\{){4}|.*(\{\w+\}).*\1)(?:[a-z0-9.-]|\{[a-z_]+\})+\/(?:[\w./@-]|\{[a-z_]+\})*$/,
				'Write a short https URL without a query, with at most three variable parts such as {tenant}, each once, a slash apart.'
			)
		),
		/** What the API returns, of the kind `api` only. */
		body: v.exactOptional(template),
		/** The token needs one of these scopes. */
		scopes: v.exactOptional(texts),
		/** Its errors, where those of the other endpoints of its kind differ. */
		errors: v.exactOptional(errors)
	}),
	v.readonly()
);

const request = v.pipe(
	v.strictObject({
		/** Parameters that the provider does not require, with the value that the standard needs. */
		defaults: v.exactOptional(fields),
		/** Other names of parameters, each with that of the standard. */
		names: v.exactOptional(fields),
		/** Whether the body may be JSON. */
		json: v.exactOptional(v.boolean()),
		/** Parameters that must have a value: in every request, or in those that ask for one of `scopes`. */
		required: v.exactOptional(
			v.pipe(
				v.array(v.pipe(v.strictObject({ name: text, value: text, scopes: v.exactOptional(texts) }), v.readonly())),
				v.readonly()
			)
		)
	}),
	v.readonly()
);

const claims = v.pipe(v.record(v.string(), template), v.readonly());

const token = v.pipe(
	v.strictObject({
		/** Of a JWT that the authorization server signs, in place of random characters. Those of RFC 9068 are in it as well. */
		claims: v.exactOptional(claims),
		/** `audience`: a JWT only in response to requests that name a resource. */
		jwt: v.exactOptional(v.literal('audience')),
		prefix: v.exactOptional(v.pipe(v.string(), v.regex(/^[!-~]{1,40}$/, 'Use at most 40 printable ASCII characters.'))),
		/** In characters, with the prefix. At least 16 are random. */
		length: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(20), v.maxValue(2000)))
	}),
	v.readonly()
);

/** What only the dialects of providers have. A dialect without such a part does as the standard does. */
const ofProviders = {
	endpoints: v.pipe(v.array(endpoint), v.readonly()),
	request: v.pipe(
		v.strictObject({
			authorize: v.exactOptional(request),
			token: v.exactOptional(request),
			revoke: v.exactOptional(request)
		}),
		v.readonly()
	),
	/** The secret is a JWT of the client, signed with its registered key. The client sends it until it expires, and `exp` may be at most this number of seconds ahead. */
	secretJwt: whole,
	/** Fields of an authorization response, only after the user has decided on the consent page. Objects are JSON. */
	firstResponse: claims,
	scopes: v.pipe(
		v.strictObject({
			/** Between the names in a response. */
			separator: v.exactOptional(v.picklist([' ', ','])),
			/** Those that the file simulates. One that ends with `*` covers all that begin like it. */
			known: texts,
			/** What every request asks for as well. */
			always: v.exactOptional(texts),
			/** What a request without `scope` asks for. */
			initial: v.exactOptional(texts),
			unknown: v.picklist(['ignored', 'rejected']),
			/** Those that responses do not name. */
			hidden: v.exactOptional(texts)
		}),
		v.readonly()
	),
	/** `deeper`: the path may continue the registered one. */
	redirectUri: v.pipe(
		v.strictObject({ match: v.picklist(['exact', 'deeper']), optional: v.exactOptional(v.boolean()) }),
		v.readonly()
	),
	/** Scopes that lead to a refresh token. */
	refreshScopes: texts,
	/** In seconds. */
	lifetimes: v.pipe(
		v.strictObject({
			code: v.exactOptional(whole),
			accessToken: v.exactOptional(whole),
			/** How long a rotated refresh token returns the same new one. */
			rotationGrace: v.exactOptional(whole)
		}),
		v.readonly()
	),
	tokens: v.pipe(
		v.strictObject({
			access_token: v.exactOptional(token),
			refresh_token: v.exactOptional(token),
			code: v.exactOptional(token)
		}),
		v.readonly()
	),
	tokenResponse: v.pipe(
		v.strictObject({
			/** `negotiated`: a form, unless `Accept` names JSON or XML. Absent: JSON. */
			form: v.exactOptional(v.picklist(['form', 'negotiated'])),
			body: v.exactOptional(template),
			/** Of a refresh, where it differs. */
			refreshBody: v.exactOptional(template)
		}),
		v.readonly()
	),
	/** The response to a revocation. */
	revocationResponse: v.pipe(
		v.strictObject({
			status,
			body: v.exactOptional(template),
			/** `authorization`: an access token ends all that the user allowed, too. */
			ends: v.exactOptional(v.picklist(['authorization']))
		}),
		v.readonly()
	),
	errors: v.pipe(
		v.strictObject({
			token: v.exactOptional(errors),
			revoke: v.exactOptional(errors),
			api: v.exactOptional(errors)
		}),
		v.readonly()
	),
	/** Whether the API rejects requests without a `User-Agent`. */
	userAgent: v.picklist(['required']),
	rateLimit: v.pipe(
		v.strictObject({
			requests: whole,
			window: whole,
			/** Which requests count. Absent: all. */
			counts: v.exactOptional(v.picklist(['errors'])),
			/** Of every response of the API. */
			headers: v.exactOptional(responseFields),
			status,
			body: v.exactOptional(template),
			/** Of a response over the limit. */
			limitedHeaders: v.exactOptional(responseFields)
		}),
		v.readonly()
	),
	/** ID tokens: who issues them, and claims besides those of the standard. Without an issuer: the URL of the metadata says it. */
	idToken: v.pipe(v.strictObject({ issuer: v.exactOptional(text), claims: v.exactOptional(claims) }), v.readonly())
} as const;

const optional = v.partial(v.object({ ...ofProviders, ...core })).entries;

/** A dialect that needs no other one. */
export const wholeDialect = v.strictObject(core);
/** What a file says of its dialect. Of a provider, the rest comes from the dialect that it extends. */
export const dialectPart = v.strictObject(optional);

/** What the dialect of a provider has besides. */
type ProviderParts = v.InferOutput<v.ObjectSchema<typeof ofProviders, undefined>>;

/** Everything that differs between dialects, as data. Checks read it. */
export type DialectData = Readonly<v.InferOutput<typeof wholeDialect>> & Readonly<Partial<ProviderParts>>;
/** What a file says of a dialect. */
export type DialectPart = { readonly [Name in keyof DialectData]?: DialectData[Name] | undefined };
export type ProviderEndpoint = ProviderParts['endpoints'][number];
export type ProviderErrors = NonNullable<ProviderParts['errors']['token']>;
export type ErrorCase = NonNullable<ProviderErrors['cases']>[number];
export type RequestRules = NonNullable<ProviderParts['request']['token']>;
