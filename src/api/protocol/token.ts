import * as v from 'valibot';
import { declare, onlyIn, saidBy } from '../declare.ts';
import { type ErrorCode, serviceErrors } from '../errors.ts';
import { mapValues } from '#lib/map-values.ts';
import { grants, type GrantDefinition } from './grant-types.ts';

/** The credentials of a client in a form. HTTP Basic is the other way to send them. */
export const client = {
	client_id: v.optional(v.string()),
	client_secret: v.optional(v.string()),
	/** In place of a secret (RFC 7523). */
	client_assertion_type: v.optional(v.pipe(v.string(), onlyIn('standard'))),
	client_assertion: v.optional(v.pipe(v.string(), onlyIn('standard')))
};

/** The token request of each grant (specification, section 2.3), by its name in the OpenAPI document. */
export const grantRequests: Readonly<Record<string, v.GenericSchema>> = /* @__PURE__ */ Object.fromEntries(
	/* @__PURE__ */ grants.map((grant) => [grant.schema, requestOf(grant)])
);

/** `POST /ws/oauth2/token/`. */
export const tokenRequest = /* @__PURE__ */ v.union(/* @__PURE__ */ Object.values(grantRequests));

function requestOf({ type, fields, dialect }: GrantDefinition): v.GenericSchema {
	const all = Object.entries(mapValues(fields, fieldSchema));
	const [required, optional] = [false, true].map((isOptional) =>
		Object.fromEntries(all.filter(([name]) => (fields[name]?.isOptional ?? false) === isOptional))
	);
	const request = v.object({ grant_type: v.literal(type), ...required, ...client, ...optional });
	return dialect === undefined ? request : v.pipe(request, onlyIn(dialect));
}

function fieldSchema({ isOptional, values }: GrantDefinition['fields'][string]): v.GenericSchema {
	const schema = values === undefined ? v.string() : v.picklist(values);
	return isOptional === true ? v.optional(schema) : schema;
}

/** The fields of a token response (specification, section 2.4) and the additional fields `token_type` and `scope`. */
export const tokenResponse = v.object({
	access_token: v.string(),
	/** Seconds. */
	expires_in: v.pipe(v.number(), v.integer()),
	/** The scheme that resources accept. `Bearer` in the dialect of today's standards, and in a sandbox that is not strict. */
	token_type: v.pipe(v.picklist(['OAuth', 'Bearer', 'DPoP']), saidBy('tokenType')),
	scope: v.string(),
	/** Of an exchanged token. */
	issued_token_type: v.optional(v.pipe(v.string(), onlyIn('standard'))),
	refresh_token: v.optional(v.string()),
	/** For a code that was requested with the scope `openid`. */
	id_token: v.optional(v.pipe(v.string(), onlyIn('standard')))
});

/** The query of `GET /ws/oauth2/revoke`. */
export const revocationRequest = v.object({ token: v.string(), client_id: v.string() });

export const revocation = v.object({ revoked: v.literal(true) });

export const tokenEndpoints = declare({
	'POST /ws/oauth2/token/': {
		id: 'token',
		tag: 'Tokens',
		bodyLimit: 16 * 1024,
		summary: 'Get an access token',
		description:
			'Exchanges a code, or refreshes an access token (§ 2.3, § 2.4). The client sends its credentials in the form. A sandbox that is not strict also accepts HTTP Basic.',
		access: 'client credentials',
		body: {
			form: true,
			schema: tokenRequest,
			example: {
				grant_type: 'refresh_token',
				refresh_token: 'REFRESH_TOKEN',
				client_id: 'character-viewer',
				client_secret: 'viewer-secret'
			}
		},
		responses: { 200: { description: 'The tokens.', json: tokenResponse, xml: 'OAuth' } },
		errors: {
			400: 'The request is invalid, or the code or refresh token is not (`invalid_grant`).',
			401: 'No application has these credentials.',
			415: 'The body is compressed.',
			429: 'Too many wrong secrets.'
		}
	},
	'GET /ws/oauth2/revoke': {
		id: 'revoke',
		tag: 'Tokens',
		dialect: 'specification',
		summary: 'Revoke access',
		description: 'Revokes the grant of a refresh token, and all tokens that were issued under it.',
		query: revocationRequest,
		destroys: true,
		responses: { 200: { description: 'The access is revoked.', json: revocation, xml: 'revocation' } },
		errors: { 400: 'The token is not an active refresh token of this application.', 429: 'Too many wrong tokens.' }
	}
});

export type TokenResponse = v.InferOutput<typeof tokenResponse>;
export type Revocation = v.InferOutput<typeof revocation>;

const isErrorCode = (name: string): name is ErrorCode => name in serviceErrors;

/** The body of every error (RFC 6749, section 5.2). */
export const error = v.object({
	error: v.picklist(Object.keys(serviceErrors).filter(isErrorCode)),
	error_description: v.string(),
	/** The field of the request body that is wrong, as a path: `limits.character`. Control API only. */
	field: v.optional(v.string())
});

export type ErrorBody = v.InferOutput<typeof error>;
