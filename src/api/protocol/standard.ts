import * as v from 'valibot';
import { declare } from '../declare.ts';
import { client } from './token.ts';

/** The form of a revocation (RFC 7009) or an introspection (RFC 7662). */
export const tokenForm = v.object({ token: v.string(), token_type_hint: v.optional(v.string()), ...client });

/** What a token is worth (RFC 7662, section 2.2). */
export const introspection = v.object({
	active: v.boolean(),
	scope: v.optional(v.string()),
	client_id: v.optional(v.string()),
	username: v.optional(v.string()),
	token_type: v.optional(v.picklist(['Bearer', 'DPoP'])),
	/** Unix seconds. */
	exp: v.optional(v.pipe(v.number(), v.integer())),
	sub: v.optional(v.string()),
	iss: v.optional(v.string()),
	/** The resources that the token works at. Absent: all. */
	aud: v.optional(v.array(v.string())),
	/** The thumbprint of the key that the token is bound to (RFC 9449, section 6.2). */
	cnf: v.optional(v.object({ jkt: v.string() })),
	/** Who acts for the user. It may contain another `act`, of the one before (RFC 8693, section 4.1). */
	act: v.optional(v.object({ sub: v.string(), act: v.optional(v.object({ sub: v.string() })) }))
});

/** The metadata of the authorization server (RFC 8414, OpenID Connect Discovery 1.0). */
export const serverMetadata = v.object({
	issuer: v.string(),
	authorization_endpoint: v.string(),
	token_endpoint: v.string(),
	revocation_endpoint: v.string(),
	introspection_endpoint: v.string(),
	device_authorization_endpoint: v.string(),
	pushed_authorization_request_endpoint: v.string(),
	require_pushed_authorization_requests: v.boolean(),
	registration_endpoint: v.optional(v.string()),
	userinfo_endpoint: v.string(),
	jwks_uri: v.string(),
	end_session_endpoint: v.string(),
	response_types_supported: v.array(v.string()),
	response_modes_supported: v.array(v.string()),
	grant_types_supported: v.array(v.string()),
	code_challenge_methods_supported: v.array(v.string()),
	scopes_supported: v.array(v.string()),
	token_endpoint_auth_methods_supported: v.array(v.string()),
	revocation_endpoint_auth_methods_supported: v.array(v.string()),
	introspection_endpoint_auth_methods_supported: v.array(v.string()),
	token_endpoint_auth_signing_alg_values_supported: v.array(v.string()),
	revocation_endpoint_auth_signing_alg_values_supported: v.array(v.string()),
	introspection_endpoint_auth_signing_alg_values_supported: v.array(v.string()),
	authorization_response_iss_parameter_supported: v.boolean(),
	client_id_metadata_document_supported: v.boolean(),
	subject_types_supported: v.array(v.string()),
	id_token_signing_alg_values_supported: v.array(v.string()),
	dpop_signing_alg_values_supported: v.array(v.string()),
	claims_supported: v.array(v.string()),
	prompt_values_supported: v.array(v.string()),
	claims_parameter_supported: v.boolean(),
	request_parameter_supported: v.boolean(),
	request_uri_parameter_supported: v.boolean(),
	service_documentation: v.string()
});

/** The metadata of a protected resource (RFC 9728). */
export const resourceMetadata = v.object({
	resource: v.string(),
	authorization_servers: v.array(v.string()),
	scopes_supported: v.array(v.string()),
	bearer_methods_supported: v.array(v.string()),
	dpop_signing_alg_values_supported: v.array(v.string()),
	resource_name: v.string(),
	resource_documentation: v.string()
});

/** A field of a registration. One that is `null` counts as absent. */
const metadataField = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema));

/** The metadata that a client sends to register (RFC 7591, section 2). Unknown fields are ignored. */
export const clientMetadata = v.pipe(
	v.object({
		redirect_uris: metadataField(v.array(v.string())),
		client_name: metadataField(v.string()),
		token_endpoint_auth_method: metadataField(v.picklist(['client_secret_basic', 'client_secret_post', 'none'])),
		grant_types: metadataField(v.array(v.string())),
		response_types: metadataField(v.array(v.string())),
		/** Where a browser may go after a sign-out (OpenID Connect RP-Initiated Logout 1.0, section 3.1). */
		post_logout_redirect_uris: metadataField(v.array(v.string())),
		/** Every token request needs a proof of a key (RFC 9449, section 5.2). */
		dpop_bound_access_tokens: metadataField(v.boolean())
	}),
	v.transform(({ client_name, token_endpoint_auth_method, ...rest }) => ({
		redirect_uris: rest.redirect_uris ?? [],
		client_name: client_name ?? undefined,
		token_endpoint_auth_method: token_endpoint_auth_method ?? undefined,
		grant_types: rest.grant_types ?? [],
		response_types: rest.response_types ?? [],
		post_logout_redirect_uris: rest.post_logout_redirect_uris ?? [],
		dpop_bound_access_tokens: rest.dpop_bound_access_tokens ?? false
	}))
);

/** A client that registered (RFC 7591, section 3.2.1). */
export const registeredClient = v.object({
	client_id: v.string(),
	client_secret: v.optional(v.string()),
	client_id_issued_at: v.number(),
	/** 0: it does not expire. */
	client_secret_expires_at: v.optional(v.number()),
	client_name: v.string(),
	redirect_uris: v.array(v.string()),
	post_logout_redirect_uris: v.optional(v.array(v.string())),
	token_endpoint_auth_method: v.string(),
	grant_types: v.array(v.string()),
	response_types: v.array(v.string()),
	dpop_bound_access_tokens: v.optional(v.boolean())
});

const clientErrors = {
	400: 'The request is invalid.',
	401: 'No application has these credentials.',
	415: 'The body is compressed.',
	429: 'Too many wrong secrets.'
} as const;

/** What the dialect of today's standards has and the specification does not. */
export const standardEndpoints = declare({
	'POST /ws/oauth2/revoke': {
		id: 'revokeToken',
		tag: 'Tokens',
		dialect: 'standard',
		bodyLimit: 16 * 1024,
		summary: 'Revoke a token',
		description:
			'Revokes an access token, or the grant of a refresh token (RFC 7009). An unknown token gets 200 as well, because nothing is left to revoke.',
		access: 'client credentials',
		destroys: true,
		body: {
			form: true,
			schema: tokenForm,
			example: { token: 'REFRESH_TOKEN', client_id: 'character-viewer', client_secret: 'viewer-secret' }
		},
		responses: {
			200: {
				description: 'The token works no longer.',
				json: v.object({ revoked: v.literal(true) }),
				xml: 'revocation'
			}
		},
		errors: clientErrors
	},
	'POST /ws/oauth2/introspect': {
		id: 'introspectToken',
		tag: 'Tokens',
		dialect: 'standard',
		bodyLimit: 16 * 1024,
		summary: 'Introspect a token',
		description:
			'Says whether a token of this client is active, and what it may do (RFC 7662). Unknown, expired, revoked and foreign tokens are all not active.',
		access: 'client credentials',
		body: {
			form: true,
			schema: tokenForm,
			example: { token: 'ACCESS_TOKEN', client_id: 'character-viewer', client_secret: 'viewer-secret' }
		},
		responses: { 200: { description: 'What the token is worth.', json: introspection, xml: 'introspection' } },
		errors: clientErrors
	},
	'POST /ws/oauth2/register': {
		id: 'registerClient',
		tag: 'Authorization',
		dialect: 'standard',
		bodyLimit: 16 * 1024,
		summary: 'Register a client',
		description:
			'A client registers itself (RFC 7591). The setting `dynamic_registration` allows it. Without a secret it becomes an installed application.',
		access: 'everybody',
		body: {
			schema: clientMetadata,
			example: {
				client_name: 'My client',
				redirect_uris: ['http://127.0.0.1/callback'],
				token_endpoint_auth_method: 'none'
			}
		},
		responses: { 201: { description: 'The client. The secret is shown once.', json: registeredClient } },
		errors: {
			400: 'The metadata is invalid.',
			403: 'The sandbox does not allow registration.',
			409: 'Too many clients have registered, and all are used.',
			429: 'Too many registrations from this address.'
		}
	},
	'GET /.well-known/oauth-authorization-server': {
		id: 'readServerMetadata',
		tag: 'Authorization',
		dialect: 'standard',
		summary: 'Read the metadata of the server',
		description:
			'The endpoints and abilities of this sandbox (RFC 8414). The same document is at `{origin}/.well-known/oauth-authorization-server/~ID`.',
		access: 'everybody',
		responses: { 200: { description: 'The metadata.', json: serverMetadata } }
	},
	'GET /.well-known/oauth-protected-resource': {
		id: 'readResourceMetadata',
		tag: 'Resources',
		dialect: 'standard',
		summary: 'Read the metadata of the resources',
		description: 'Which server issues tokens for the resources of this sandbox (RFC 9728).',
		access: 'everybody',
		responses: { 200: { description: 'The metadata.', json: resourceMetadata } }
	},
	'GET /.well-known/oauth-protected-resource/{+resource_path}': {
		id: 'readMetadataOfResource',
		tag: 'Resources',
		dialect: 'standard',
		summary: 'Read the metadata of one resource',
		description: 'The same for a resource, which `resource` names. A 401 response links it.',
		access: 'everybody',
		responses: { 200: { description: 'The metadata.', json: resourceMetadata } },
		errors: { 404: 'There is no resource at this path.' }
	}
});

export type Introspection = v.InferOutput<typeof introspection>;
export type ServerMetadata = v.InferOutput<typeof serverMetadata>;
export type ResourceMetadata = v.InferOutput<typeof resourceMetadata>;
export type RegisteredClient = v.InferOutput<typeof registeredClient>;

/** Documents of clients that a sandbox hosts for their developers (CIMD, section 4.2). */
export const clientDocumentEndpoints = declare({
	'GET /ws/oauth2/clients/{document_name}': {
		id: 'readClientDocument',
		tag: 'Authorization',
		dialect: 'standard',
		summary: 'Read a client document',
		description:
			'A document that this sandbox hosts for a client, as its developer wrote it. The URL is the `client_id`. Each sandbox has `example`.',
		access: 'everybody',
		logName: 'client_document',
		responses: { 200: { description: 'The document.', json: v.record(v.string(), v.unknown()) } },
		errors: { 404: 'This sandbox hosts no such document.' }
	}
});
