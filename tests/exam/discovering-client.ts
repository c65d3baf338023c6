import * as oauth from 'oauth4webapi';
import * as v from 'valibot';
import type { ClientSettings, Library, TokenFields } from './reference-client.ts';

/** One mistake of a client that finds its server by the metadata of the resource. */
export type DiscoveryMistake =
	| 'issuer of the metadata is not compared'
	| 'iss is not compared'
	| 'iss may be missing'
	| 'iss with a slash'
	| 'no resource'
	| 'no resource in the exchange'
	| 'another resource in the exchange'
	| 'one secret for all issuers';

const resourceSchema = v.object({ resource: v.string(), authorization_servers: v.array(v.string()) });
const serverSchema = v.object({ issuer: v.string(), authorization_endpoint: v.string(), token_endpoint: v.string() });
const sessionSchema = v.object({
	issuer: v.string(),
	endpoint: v.string(),
	resource: v.string(),
	state: v.string(),
	verifier: v.string()
});

/** Reads the metadata of the resource and of its server at each sign-in, as agents do. */
export function withDiscovery(settings: ClientSettings, mistakes: readonly DiscoveryMistake[]): Library {
	const { baseUrl, clientId, clientSecret, redirectUri, fetch: send = fetch } = settings;
	const has = (mistake: DiscoveryMistake) => mistakes.includes(mistake);
	const read = async <S extends v.GenericSchema>(url: string, schema: S): Promise<v.InferOutput<S>> =>
		v.parse(schema, await (await send(url)).json());
	const token = async (endpoint: string, fields: Record<string, string>): Promise<TokenFields> => {
		const body = new URLSearchParams({ ...fields, client_id: clientId, client_secret: clientSecret });
		const response = await send(endpoint, { method: 'POST', body });
		if (!response.ok) throw new Error(await response.text());
		const data: unknown = await response.json();
		return typeof data === 'object' && data !== null ? { ...data } : {};
	};
	return {
		async authorize(session) {
			const path = '/ws/v2.0/character';
			const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
			const { origin } = new URL(baseUrl);
			const metadataUrl = `${origin}/.well-known/oauth-protected-resource${prefix}${path}`;
			const { resource, authorization_servers } = await read(metadataUrl, resourceSchema);
			const [issuer = baseUrl] = authorization_servers;
			// The secret is of the first server.
			if (issuer !== baseUrl && !has('one secret for all issuers')) throw new Error('Not registered at this server');
			const server = await read(
				`${origin}/.well-known/oauth-authorization-server${new URL(issuer).pathname.replace(/\/$/, '')}`,
				serverSchema
			);
			if (server.issuer !== issuer && !has('issuer of the metadata is not compared')) throw new Error('Another issuer');
			const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
			Object.assign(session, { issuer, endpoint: server.token_endpoint, resource, state, verifier });
			const query = new URLSearchParams({
				response_type: 'code',
				client_id: clientId,
				redirect_uri: redirectUri,
				scope: 'character_read',
				state,
				code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
				code_challenge_method: 'S256'
			});
			if (!has('no resource')) query.set('resource', resource);
			return `${server.authorization_endpoint}?${query}`;
		},
		async exchange(callback, session) {
			const { issuer, endpoint, resource, state, verifier } = v.parse(sessionSchema, session);
			const query = callback.searchParams;
			if (query.get('state') !== state) throw new Error('Another sign-in');
			if (!isOfIssuer(query.get('iss'), issuer, has)) throw new Error('Another issuer');
			const code = query.get('code');
			if (code === null) throw new Error('There is no code');
			const omits = has('no resource') || has('no resource in the exchange');
			const sent = has('another resource in the exchange') ? `${resource}/other` : resource;
			return token(endpoint, {
				grant_type: 'authorization_code',
				code,
				redirect_uri: redirectUri,
				code_verifier: verifier,
				...(!omits && { resource: sent })
			});
		},
		refresh: (refresh_token) => token(`${baseUrl}/ws/oauth2/token/`, { grant_type: 'refresh_token', refresh_token })
	};
}

function isOfIssuer(iss: string | null, issuer: string, has: (mistake: DiscoveryMistake) => boolean): boolean {
	if (has('iss is not compared')) return true;
	if (iss === null) return has('iss may be missing');
	return iss === issuer || (has('iss with a slash') && iss === `${issuer}/`);
}
