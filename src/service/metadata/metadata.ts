import { otherIssuer } from '#api/agent-faults.ts';
import { grantTypesOf } from '#api/protocol/grant-types.ts';
import type { ResourceMetadata, ServerMetadata } from '#api/protocol/standard.ts';
import type { WireResponse } from '#api/message.ts';
import { identityScopes } from '#api/identity-scopes.ts';
import { signingAlgorithms } from '#api/protocol/openid.ts';
import { prompts } from '../authorization/openid-request.ts';
import { allowAllOrigins } from '../checks/cors.ts';
import { requireMetadata } from '../checks/dialect.ts';
import { rejectBlacklisted } from '../checks/blacklist.ts';
import { check, endpoint } from '../core/runner.ts';
import { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import { requireRead, respondError, respondJson } from '../core/responses.ts';
import { requireSigningKeys, toPublicKey } from '../identity/signing-keys.ts';
import { hasAgentFault, issuerOf } from '../sandbox/agent-faults.ts';
import { permissionsOf } from '../sandbox/permissions.ts';

const resourcePrefix = '/.well-known/oauth-protected-resource';

const checkMethod = check<Context>('metadata.method_is_get', (context) => requireRead(context));

const respondServer = check<Context>('metadata.returned', async (context): Promise<WireResponse> => {
	const { base_url, state } = context.sandbox;
	const oauth2 = `${base_url}/ws/oauth2`;
	const issuer = context.path.endsWith('/moved') ? issuerOf(context) : base_url;
	if (issuer === base_url && context.path.endsWith('/moved'))
		throw new ProtocolError('not_found', 'There is no authorization server at this path.');
	const withSecret = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];
	const metadata: ServerMetadata = {
		issuer: hasAgentFault(context, 'metadata_issuer') ? otherIssuer : issuer,
		authorization_endpoint: `${oauth2}/auth/`,
		token_endpoint: `${oauth2}/token/`,
		revocation_endpoint: `${oauth2}/revoke`,
		introspection_endpoint: `${oauth2}/introspect`,
		device_authorization_endpoint: `${oauth2}/device_authorization`,
		pushed_authorization_request_endpoint: `${oauth2}/par`,
		require_pushed_authorization_requests: state.settings.require_pushed_requests,
		...((state.settings.dynamic_registration || hasAgentFault(context, 'registration_rejected')) && {
			registration_endpoint: `${oauth2}/register`
		}),
		userinfo_endpoint: `${oauth2}/userinfo`,
		jwks_uri: `${oauth2}/jwks`,
		end_session_endpoint: `${oauth2}/logout`,
		response_types_supported: ['code'],
		response_modes_supported: ['query', 'form_post'],
		grant_types_supported: grantTypesOf(context.dialect.name),
		// Several clients reject a server that does not list a method.
		code_challenge_methods_supported: ['S256'],
		scopes_supported: [...new Set([...identityScopes.keys(), ...(await scopesOf(context))])],
		token_endpoint_auth_methods_supported: [...withSecret, 'none'],
		revocation_endpoint_auth_methods_supported: [...withSecret, 'none'],
		introspection_endpoint_auth_methods_supported: withSecret,
		token_endpoint_auth_signing_alg_values_supported: [...signingAlgorithms],
		revocation_endpoint_auth_signing_alg_values_supported: [...signingAlgorithms],
		introspection_endpoint_auth_signing_alg_values_supported: [...signingAlgorithms],
		authorization_response_iss_parameter_supported: !hasAgentFault(context, 'iss_unexpected'),
		client_id_metadata_document_supported: true,
		subject_types_supported: ['public'],
		id_token_signing_alg_values_supported: [...signingAlgorithms],
		dpop_signing_alg_values_supported: [...signingAlgorithms],
		claims_supported: [
			'iss',
			'sub',
			'aud',
			'exp',
			'iat',
			'auth_time',
			'nonce',
			'at_hash',
			'name',
			'preferred_username',
			'email'
		],
		prompt_values_supported: [...prompts],
		claims_parameter_supported: false,
		request_parameter_supported: false,
		request_uri_parameter_supported: false,
		service_documentation: `${context.options.origin}/docs/standard-client`
	};
	const host = context.header('host');
	if (host !== undefined && host !== new URL(context.options.origin).host)
		context.note(`Requested at ${host}. The issuer is ${metadata.issuer}, and clients compare both (RFC 8414 §3.3)`);
	// Names are as long as secrets.
	for (const name of Object.keys(metadata)) context.open.add(name);
	return respondJson(context, 200, metadata);
});

const respondResource = check<Context>('metadata.returned', async (context): Promise<WireResponse> => {
	const { base_url, seed } = context.sandbox;
	const path = context.path.slice(resourcePrefix.length);
	if (path !== '' && path !== '/' && !/^\/(?:ws\/v2\.0|mcp)(?:\/|$)/.test(path))
		throw new ProtocolError('not_found', 'There is no protected resource at this path.');
	const metadata: ResourceMetadata = {
		resource: hasAgentFault(context, 'other_resource') ? 'https://resource.example/mcp' : `${base_url}${path}`,
		authorization_servers: [issuerOf(context)],
		scopes_supported: await scopesOf(context),
		bearer_methods_supported: ['header'],
		dpop_signing_alg_values_supported: [...signingAlgorithms],
		resource_name: seed.world.brand.name,
		resource_documentation: `${context.options.origin}/docs/standard-client`
	};
	return respondJson(context, 200, metadata);
});

const publicChecks = [rejectBlacklisted, requireMetadata, allowAllOrigins('GET'), checkMethod] as const;

/** The metadata of the authorization server (RFC 8414, section 3; OpenID Connect Discovery 1.0, section 4). */
export const serverMetadata = endpoint(Context, [...publicChecks, respondServer], respondError);

const respondKeys = check<Context>('keys.returned', async (context): Promise<WireResponse> => {
	const keys = await requireSigningKeys(context);
	context.note(`${keys.length === 1 ? '1 key' : `${keys.length} keys`}, ${keys[0].kid} signs`);
	return respondJson(context, 200, { keys: keys.map(toPublicKey) });
});

/** The public keys of ID tokens (RFC 7517, section 5). */
export const publicKeys = endpoint(Context, [...publicChecks, respondKeys], respondError);

/** The metadata of the protected resources (RFC 9728). The identifier of a resource is its URL. */
export const resourceMetadata = endpoint(Context, [...publicChecks, respondResource], respondError);

async function scopesOf({ sandbox }: Context): Promise<string[]> {
	return (await permissionsOf(sandbox)).map(({ scope }) => scope);
}
