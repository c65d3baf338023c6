import * as v from 'valibot';
import { declare } from '../declare.ts';
import { deleted, noApplication, text, virtualAddress } from './fields.ts';

const part = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,700}$/, 'Use base64url, as RFC 7518 says.'));
/**
 * The numbers of an RSA key: 2,048 to 4,200 bits (RFC 7518, section 3.3), without zeros before them, and an exponent of at most 64 bits,
 * because longer ones cost much time.
 */
export const rsaNumbers = {
	n: v.pipe(
		v.string(),
		v.regex(
			/^[B-Za-z0-9_-][A-Za-z0-9_-]{341,699}$/,
			'An RSA key must have at least 2,048 bits (RFC 7518, section 3.3).'
		)
	),
	e: v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,11}$/, 'Use an exponent of at most 64 bits, such as AQAB.'))
};
const optional = v.exactOptional(v.pipe(v.string(), v.maxLength(200)));
const shared = { kid: optional, use: optional, alg: optional };
const only =
	'Send public keys only: kty, crv, x and y for P-256, or kty, n and e for RSA. kid, use and alg may be there, and nothing else.';

/** A public key of a client (RFC 7517). A private part is an error, so that its owner learns of it. */
const clientKey = v.variant('kty', [
	v.strictObject({ kty: v.literal('EC'), crv: v.literal('P-256'), x: part, y: part, ...shared }, only),
	v.strictObject({ kty: v.literal('RSA'), ...rsaNumbers, ...shared }, only)
]);

/** The public keys that an application signs its assertions with (RFC 7523, section 2.2). */
export const clientKeys = v.strictObject({
	keys: v.pipe(v.array(clientKey), v.minLength(1), v.maxLength(5))
});

export type ClientKeys = v.InferOutput<typeof clientKeys>;
export type ClientKey = v.InferOutput<typeof clientKey>;

/** The most redirect URIs that an application can have. */
export const maxRedirectUris = 10;

const redirectUris = v.pipe(v.array(v.string()), v.maxLength(maxRedirectUris));
const kind = v.picklist(['web', 'installed']);

/** Whether tokens that an application gets by exchange name it as the one who acts (RFC 8693, section 1.1). */
export const tokenExchange = v.picklist(['delegation', 'impersonation']);

/** A registered application, without its secret. */
export const application = v.object({
	client_id: v.string(),
	name: v.string(),
	kind,
	redirect_uris: v.array(v.string()),
	/** Where a browser may go after a sign-out. Absent: nowhere. */
	post_logout_redirect_uris: v.optional(v.array(v.string())),
	/** The public keys of its assertions (RFC 7523). Absent: it authenticates with its secret. */
	jwks: v.optional(clientKeys),
	/** Every token request needs a proof of a key (RFC 9449, section 5.2). Absent: no. */
	dpop_bound_access_tokens: v.optional(v.boolean()),
	/** Absent: `delegation`. */
	token_exchange: v.optional(tokenExchange),
	/** How a client that registered itself authenticates (RFC 7591, section 2). Absent: as the dialect allows. */
	token_endpoint_auth_method: v.optional(v.string()),
	/** The grants of a client that registered itself or has a document. Absent: all. */
	grant_types: v.optional(v.array(v.string())),
	/** Unix seconds, sandbox clock. */
	registered: v.number(),
	/** The virtual address that its requests count for. */
	address: v.optional(v.string()),
	/** Of a client that its document describes: until when that is cached. Milliseconds, sandbox clock. */
	document_until: v.optional(v.number())
});

/** `GET applications`. */
export const applications = v.object({ applications: v.array(application) });

/** `POST applications`. */
export const newApplication = v.strictObject({
	name: text(80),
	kind,
	redirect_uris: v.optional(redirectUris, []),
	/** Where a browser may go after a sign-out that the application asked for (OpenID Connect RP-Initiated Logout 1.0). */
	post_logout_redirect_uris: v.exactOptional(redirectUris),
	/** Public keys: the application signs assertions in place of a secret, in the dialect of today's standards. */
	jwks: v.exactOptional(clientKeys),
	/** Every token request needs a proof of a key, in the dialect of today's standards. */
	dpop_bound_access_tokens: v.exactOptional(v.boolean()),
	token_exchange: v.exactOptional(tokenExchange)
});

/** The response to a registration, and to a new secret. The secret is shown once. */
export const registeredApplication = v.object({
	...application.entries,
	client_secret: v.string(),
	/** Redirect URIs that are allowed but insecure, one sentence each. */
	warnings: v.array(v.string())
});

/** `PATCH applications/<client_id>`. */
export const applicationChange = v.strictObject({
	name: v.exactOptional(text(80)),
	redirect_uris: v.exactOptional(redirectUris),
	post_logout_redirect_uris: v.exactOptional(redirectUris),
	/** `null` removes them. */
	jwks: v.exactOptional(v.nullable(clientKeys)),
	dpop_bound_access_tokens: v.exactOptional(v.boolean()),
	token_exchange: v.exactOptional(tokenExchange),
	/** `null` removes it. */
	address: v.exactOptional(v.nullable(virtualAddress))
});

/** `GET applications/<client_id>`: what is deleted with the application, too. */
export const applicationDetails = v.object({
	...application.entries,
	warnings: v.array(v.string()),
	/** Users that gave it access, and live credentials. */
	grants: v.number(),
	codes: v.number(),
	access_tokens: v.number(),
	refresh_tokens: v.number()
});

/** `POST applications/<client_id>/redirect-uri-test`. */
export const redirectUriTest = v.strictObject({ uri: v.pipe(v.string(), v.maxLength(4000)) });

/** Whether a URI matches a registered one. */
export const redirectUriResult = v.object({
	matches: v.boolean(),
	/** Each registered URI, the most similar one first. */
	compared: v.array(
		v.object({
			registered: v.string(),
			matches: v.boolean(),
			/** The first difference. */
			difference: v.nullable(
				v.object({
					part: v.picklist([
						'scheme',
						'user',
						'host',
						'port',
						'path',
						'query',
						'fragment',
						'case',
						'trailing_slash',
						'encoding',
						'whitespace'
					]),
					/** The index of its first character in the tested URI and in the registered one. */
					at: v.number(),
					registered_at: v.number(),
					/** One sentence. */
					reason: v.string()
				})
			)
		})
	)
});

export const applicationsApi = declare({
	'GET /control/applications': {
		id: 'listApplications',
		tag: 'Applications',
		summary: 'List applications',
		description: 'Lists all applications, without their secrets.',
		responses: { 200: { description: 'The applications.', json: applications } }
	},
	'POST /control/applications': {
		id: 'registerApplication',
		tag: 'Applications',
		summary: 'Register an application',
		description:
			'Registers an application: `{"name","kind","redirect_uris"}`, with `kind` `web` or `installed`. Returns 201 with `client_secret`, once, and `warnings` about redirect URIs with HTTP. An installed application gets the two redirect URIs of § 3.2. In the dialect of today’s standards it can have others, and `post_logout_redirect_uris` lists where a sign-out may lead. With `jwks` the application signs assertions in place of its secret.',
		body: { schema: newApplication },
		responses: {
			201: { description: 'The application. The secret is shown once.', json: registeredApplication }
		},
		errors: { 409: 'The sandbox has too many applications.' }
	},
	'GET /control/applications/{client_id}': {
		id: 'readApplication',
		tag: 'Applications',
		summary: 'Read an application',
		description:
			'Returns an application with its `warnings`, and what is deleted with it: the number of `grants`, `codes`, `access_tokens` and `refresh_tokens`.',
		responses: {
			200: { description: 'The application and what is deleted with it.', json: applicationDetails }
		},
		errors: noApplication
	},
	'PATCH /control/applications/{client_id}': {
		id: 'changeApplication',
		tag: 'Applications',
		summary: 'Change an application',
		description:
			'Changes `name`, `redirect_uris`, `post_logout_redirect_uris`, `jwks`, `dpop_bound_access_tokens`, `token_exchange`, or `address`, the virtual address that its requests count for. `null` removes the address and the keys.',
		body: { schema: applicationChange, example: { name: 'Character Viewer' } },
		responses: { 200: { description: 'The application.', json: application } },
		errors: noApplication
	},
	'DELETE /control/applications/{client_id}': {
		id: 'deleteApplication',
		tag: 'Applications',
		summary: 'Delete an application',
		description: 'Deletes an application and revokes all access that users gave it.',
		destroys: true,
		responses: { 200: { description: 'It is deleted.', json: deleted } },
		errors: noApplication
	},
	'POST /control/applications/{client_id}/secret': {
		id: 'rotateSecret',
		tag: 'Applications',
		summary: 'Create a new secret',
		description: 'Creates a new secret and returns it once, as `client_secret`. The old one stops working.',
		destroys: true,
		responses: { 200: { description: 'The new secret, shown once.', json: registeredApplication } },
		errors: noApplication
	},
	'POST /control/applications/{client_id}/redirect-uri-test': {
		id: 'testRedirectUri',
		tag: 'Applications',
		summary: 'Test a redirect URI',
		description:
			'Tests a decoded URI, `{"uri"}`: whether it `matches`, and its first difference to each registered URI as `compared`, the most similar one first.',
		body: { schema: redirectUriTest, example: { uri: 'https://localhost:8443/viewer/callback/' } },
		responses: { 200: { description: 'Whether it matches.', json: redirectUriResult } },
		errors: noApplication
	}
});

export type ApplicationView = v.InferOutput<typeof application>;
export type NewApplication = v.InferInput<typeof newApplication>;
export type RegisteredApplication = v.InferOutput<typeof registeredApplication>;
export type ApplicationChange = v.InferInput<typeof applicationChange>;
export type ApplicationDetails = v.InferOutput<typeof applicationDetails>;
export type RedirectUriResult = v.InferOutput<typeof redirectUriResult>;
