import { defined, equal, ok } from '../assert.ts';
import type { TestResponse } from '../response.ts';
import type { App, Sandbox } from '../sandbox.ts';
import {
	basic,
	introspect,
	readCharacter,
	registerClient,
	revokeWithBasic,
	standardCase,
	standardStoreCase
} from '../standard.ts';

const companion: App = { client_id: 'pocket-companion', client_secret: 'companion-secret', redirect_uri: '' };

function ask(at: Sandbox, fields: Readonly<Record<string, string>> = {}, app: App = at.viewer): Promise<TestResponse> {
	return at.token({ grant_type: 'client_credentials', ...fields }, ...basic(app));
}

/** What ended or rejected a token request: the error, the check and its cause. */
async function rejection(at: Sandbox, response: TestResponse): Promise<unknown[]> {
	const failed = (await at.logged(response)).trace.find(({ outcome }) => outcome === 'failed');
	return [response.status, response.error, failed?.id, failed?.cause];
}

/** ST-10: access of an application for itself (RFC 6749, section 4.4). */
export const standardClientCredentialCases = [
	standardStoreCase('ST-10 a client gets access for itself, without a refresh token, and revokes it', async (at) => {
		const response = await ask(at);
		equal(response.status, 200, response.text);
		const { access_token, token_type, scope, refresh_token } = response.tokens;
		equal([token_type, scope, refresh_token], ['Bearer', 'character_read', undefined]);
		const read = await readCharacter(at, access_token);
		equal(Object.keys(Object(read.json())), ['name', 'race', 'class', 'level', 'guild']);
		const { client_id, username, grant } = await at.logged(read);
		equal([client_id, username], [at.viewer.client_id, undefined]);
		equal(grant, (await at.logged(await ask(at))).grant, 'one grant');
		equal((await revokeWithBasic(at, access_token)).status, 200);
		equal((await readCharacter(at, access_token)).status, 401, 'after the revocation');
	}),
	standardCase('ST-10 the owner of the sandbox ends the access, and the client can ask again', async (at) => {
		const { access_token } = (await ask(at)).tokens;
		const { grants } = Object((await at.controlled('GET', 'credentials')).json());
		await at.controlled('DELETE', `credentials/grants/${String(grants[0]?.id)}`);
		equal((await readCharacter(at, access_token)).status, 401);
		equal((await readCharacter(at, (await ask(at)).tokens.access_token)).status, 200);
	}),
	standardCase('ST-10 an installed application gets none, with or without its secret', async (at) => {
		const expected = [400, 'unauthorized_client', 'token.grant_type_supported', 'needs_secret'];
		equal(await rejection(at, await ask(at, {}, companion)), expected);
		const { client_id } = companion;
		equal(await rejection(at, await at.token({ grant_type: 'client_credentials', client_id })), expected);
	}),
	standardCase('ST-10 a wrong secret gets none', async (at) => {
		const response = await ask(at, {}, { ...at.viewer, client_secret: 'wrong' });
		equal((await rejection(at, response)).slice(0, 3), [401, 'invalid_client', 'token.client_authenticated']);
	}),
	standardCase('ST-10 a scope that a user must give, an unknown and a malformed one are rejected', async (at) => {
		for (const [scope, cause] of [
			['inventory_read', 'needs_user'],
			['character_read openid', 'needs_user'],
			['everything', 'unknown_scope'],
			['a"b', 'malformed_scope']
		] as const) {
			const expected = [400, 'invalid_scope', 'token.scope_without_user', cause];
			equal(await rejection(at, await ask(at, { scope })), expected, scope);
		}
	}),
	standardCase('ST-10 user info rejects the token, and introspection names no user', async (at) => {
		const { access_token } = (await ask(at)).tokens;
		const response = await at.get('/ws/oauth2/userinfo', 'Authorization', `Bearer ${access_token}`);
		equal(await rejection(at, response), [403, 'insufficient_scope', 'userinfo.scope_granted', 'no_user']);
		const { active, client_id, username, sub } = Object((await introspect(at, access_token)).json());
		equal([active, client_id, username, sub], [true, at.viewer.client_id, undefined, undefined]);
	}),
	standardCase('ST-10 the token expires by the clock of the sandbox', async (at) => {
		const { access_token, expires_in } = (await ask(at)).tokens;
		await at.advance(expires_in);
		equal((await readCharacter(at, access_token)).status, 401);
	}),
	standardCase('ST-10 a client that registers for it needs no redirect URI', async (at) => {
		await at.changeSettings({ dynamic_registration: true });
		const wanted = { client_name: 'Nightly report', grant_types: ['client_credentials'] };
		const response = await registerClient(at, wanted);
		equal(response.status, 201, response.text);
		const { client_id, client_secret, redirect_uris, grant_types } = Object(response.json());
		equal(redirect_uris, []);
		ok(grant_types.includes('client_credentials'), 'its grants');
		const app = { client_id, client_secret, redirect_uri: '' };
		equal((await ask(at, {}, app)).status, 200);
		await at.advance(2 * 60 * 60);
		equal((await ask(at, {}, app)).status, 200, 'it was used, so it stays');
		const installed = await registerClient(at, { ...wanted, token_endpoint_auth_method: 'none' });
		equal(installed.error, 'invalid_client_metadata');
	}),
	standardCase('ST-10 metadata lists the grant, and the specification does not have it', async (at) => {
		const { grant_types_supported } = Object((await at.get('/.well-known/oauth-authorization-server')).json());
		ok(grant_types_supported.includes('client_credentials'), 'the metadata');
		const { access_token } = (await ask(at)).tokens;
		await at.changeSettings({ dialect: 'specification' });
		const { client_id, client_secret } = at.viewer;
		const other = await at.token({ grant_type: 'client_credentials', client_id, client_secret });
		equal([other.status, other.error], [400, 'unsupported_grant_type']);
		equal((await at.character(defined(access_token, 'access_token'))).status, 200, 'tokens stay valid');
	})
];
