import { defined, equal, matches, ok } from '../assert.ts';
import {
	basic,
	codeWithPkce,
	exchangeWithPkce,
	introspect,
	readCharacter,
	refreshWithBasic,
	revokeWithBasic,
	standardCase,
	standardStoreCase,
	standardTokens,
	verifier
} from '../standard.ts';

/** Tokens in the dialect of today's standards. */
export const standardTokenCases = [
	standardCase('a code is exchanged with HTTP Basic', async (at) => {
		const { tokens } = await exchangeWithPkce(at, await codeWithPkce(at.user()));
		equal([tokens.token_type, tokens.scope], ['Bearer', 'character_read']);
	}),
	standardCase('a code is exchanged with credentials in the form', async (at) => {
		const code = await codeWithPkce(at.user());
		equal((await at.exchange(code, at.viewer, { code_verifier: verifier })).status, 200);
	}),
	standardCase('an installed application exchanges a code without a secret', async (at) => {
		const app = { ...at.companion, redirect_uri: 'http://127.0.0.1:50000' };
		const code = await codeWithPkce(at.user(), app);
		const { client_id, redirect_uri } = app;
		const sent = { grant_type: 'authorization_code', code, client_id, redirect_uri, code_verifier: verifier };
		const { tokens } = await at.token(sent);
		const refresh_token = defined(tokens.refresh_token, 'refresh_token');
		equal((await at.token({ grant_type: 'refresh_token', refresh_token, client_id })).status, 200);
	}),
	standardCase('a wrong secret of an installed application is rejected', async (at) => {
		const code = await codeWithPkce(at.user(), { ...at.companion, redirect_uri: 'http://127.0.0.1:50000' });
		const wrong = { client_id: 'pocket-companion', client_secret: 'wrong', redirect_uri: 'http://127.0.0.1:50000' };
		equal((await at.exchange(code, wrong, { code_verifier: verifier })).error, 'invalid_client');
	}),
	standardCase('a web application needs its secret', async (at) => {
		const code = await codeWithPkce(at.user());
		const { client_id, redirect_uri } = at.viewer;
		const sent = { grant_type: 'authorization_code', code, client_id, redirect_uri, code_verifier: verifier };
		const response = await at.token(sent);
		equal([response.status, response.error], [401, 'invalid_client']);
		equal(response.header('www-authenticate'), undefined);
	}),
	standardCase(
		'a secret in the header ends with the header, whatever it contains (RFC 7617, section 2)',
		async (at) => {
			const pair = btoa(`${at.viewer.client_id}:${at.viewer.client_secret}:more`);
			const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' }).toString();
			const headers = ['Content-Type', 'application/x-www-form-urlencoded', 'Authorization', `Basic ${pair}`];
			const response = await at.send({ method: 'POST', target: '/ws/oauth2/token/', headers, body: form });
			equal([response.status, response.error], [401, 'invalid_client']);
		}
	),
	standardCase('a wrong secret in the header gets a challenge for Basic', async (at) => {
		const response = await refreshWithBasic(at, 'x', { ...at.viewer, client_secret: 'wrong' });
		equal(response.status, 401);
		matches(response.header('www-authenticate'), /^Basic realm=/, 'the challenge');
	}),
	standardCase('credentials in the header and the form are rejected', async (at) => {
		const fields = { grant_type: 'refresh_token', refresh_token: 'x', client_secret: 'viewer-secret' };
		equal((await at.token(fields, ...basic(at.viewer))).error, 'invalid_request');
	}),
	standardCase('a wrong code_verifier is invalid_grant', async (at) => {
		const code = await codeWithPkce(at.user());
		equal((await at.exchange(code, at.viewer, { code_verifier: 'x'.repeat(43) })).error, 'invalid_grant');
	}),
	standardCase('a code of the specification without PKCE needs a secret after the switch', async (at) => {
		await at.changeSettings({ dialect: 'specification' });
		const app = { ...at.companion, redirect_uri: 'http://localhost:50000' };
		const code = await at.user().code(app);
		await at.changeSettings({ dialect: 'standard' });
		const { client_id, redirect_uri } = app;
		const response = await at.token({ grant_type: 'authorization_code', code, client_id, redirect_uri });
		equal(response.error, 'invalid_grant');
		equal(await at.failedCheck(response), 'token.code_verifier_matches');
	}),
	standardStoreCase('every exchange returns a refresh token', async (at) => {
		const user = at.user();
		const first = await standardTokens(at, user);
		const second = await standardTokens(at, user);
		ok(first.refresh_token !== second.refresh_token, 'they differ');
		equal((await refreshWithBasic(at, first.refresh_token)).status, 200);
		equal((await refreshWithBasic(at, second.refresh_token)).status, 200);
	}),
	standardCase('a refresh replaces the refresh token', async (at) => {
		const { refresh_token } = await standardTokens(at);
		const { tokens } = await refreshWithBasic(at, refresh_token);
		const next = defined(tokens.refresh_token, 'refresh_token');
		ok(next !== refresh_token, 'it is another one');
		equal((await readCharacter(at, tokens.access_token)).status, 200);
		equal((await refreshWithBasic(at, next)).status, 200);
	}),
	standardStoreCase('a used refresh token ends everything of its sign-in', async (at) => {
		const first = await standardTokens(at);
		const { tokens } = await refreshWithBasic(at, first.refresh_token);
		const reused = await refreshWithBasic(at, first.refresh_token);
		equal(reused.error, 'invalid_grant');
		equal(await at.failedCheck(reused), 'token.refresh_token_not_used');
		equal((await readCharacter(at, tokens.access_token)).status, 401);
		equal((await readCharacter(at, first.access_token)).status, 401);
		equal((await refreshWithBasic(at, tokens.refresh_token ?? '')).error, 'invalid_grant');
	}),
	standardStoreCase('reuse ends one sign-in and no other', async (at) => {
		const user = at.user();
		const first = await standardTokens(at, user);
		const second = await standardTokens(at, user);
		await refreshWithBasic(at, first.refresh_token);
		equal((await refreshWithBasic(at, first.refresh_token)).error, 'invalid_grant');
		equal((await readCharacter(at, second.access_token)).status, 200);
		equal((await refreshWithBasic(at, second.refresh_token)).status, 200);
	}),
	standardStoreCase('a used refresh token stays used in the other dialect', async (at) => {
		const { refresh_token } = await standardTokens(at);
		await refreshWithBasic(at, refresh_token);
		await at.changeSettings({ dialect: 'specification' });
		equal((await at.refresh(refresh_token)).error, 'invalid_grant');
	}),
	standardStoreCase('of 20 parallel refreshes with one token one succeeds, and nothing lives on', async (at) => {
		const { access_token, refresh_token } = await standardTokens(at);
		const responses = await Promise.all(Array.from({ length: 20 }, () => refreshWithBasic(at, refresh_token)));
		const succeeded = responses.filter(({ status }) => status === 200);
		equal(succeeded.length, 1, 'how many succeed');
		const live = [access_token, ...succeeded.map(({ tokens }) => tokens.access_token)];
		for (const token of live) equal((await readCharacter(at, token)).status, 401, 'an access token');
		for (const { tokens } of succeeded)
			equal((await refreshWithBasic(at, tokens.refresh_token ?? '')).error, 'invalid_grant', 'the new refresh token');
	}),
	standardStoreCase('with a grace period, 200 parallel refreshes with one token return one new token', async (at) => {
		await at.changeSettings({ lifetimes: { rotation_grace: 30 } });
		const { refresh_token } = await standardTokens(at);
		const responses = await Promise.all(Array.from({ length: 200 }, () => refreshWithBasic(at, refresh_token)));
		equal([...new Set(responses.map(({ status }) => status))], [200], 'the statuses');
		const next = new Set(responses.map(({ tokens }) => tokens.refresh_token));
		equal(next.size, 1, 'how many new refresh tokens');
		for (const { tokens } of responses.slice(0, 3)) equal((await readCharacter(at, tokens.access_token)).status, 200);
		equal((await refreshWithBasic(at, defined([...next][0], 'refresh_token'))).status, 200);
	}),
	standardStoreCase('the grace period of a refresh token ends with the use of the new one', async (at) => {
		await at.changeSettings({ lifetimes: { rotation_grace: 30 } });
		const { refresh_token } = await standardTokens(at);
		const { tokens } = await refreshWithBasic(at, refresh_token);
		const next = defined(tokens.refresh_token, 'refresh_token');
		equal((await refreshWithBasic(at, refresh_token)).tokens.refresh_token, next, 'the new one again');
		equal((await refreshWithBasic(at, next)).status, 200);
		const reused = await refreshWithBasic(at, refresh_token);
		equal(await at.failedCheck(reused), 'token.refreshed');
		equal((await readCharacter(at, tokens.access_token)).status, 401, 'its access token');
	}),
	standardStoreCase('the grace period of a refresh token ends after its time', async (at) => {
		await at.changeSettings({ lifetimes: { rotation_grace: 30 } });
		const { refresh_token } = await standardTokens(at);
		const { tokens } = await refreshWithBasic(at, refresh_token);
		await at.advance(31);
		const reused = await refreshWithBasic(at, refresh_token);
		equal(await at.failedCheck(reused), 'token.refresh_token_not_used');
		equal((await refreshWithBasic(at, tokens.refresh_token ?? '')).error, 'invalid_grant', 'the new refresh token');
	}),
	standardCase('a grace period has no effect in the dialect of the specification', async (at) => {
		await at.changeSettings({ lifetimes: { rotation_grace: 30 } });
		const { refresh_token } = await standardTokens(at);
		await refreshWithBasic(at, refresh_token);
		await at.changeSettings({ dialect: 'specification' });
		equal((await at.refresh(refresh_token)).error, 'invalid_grant');
	}),
	standardCase('30 refreshes in a row succeed', async (at) => {
		let { refresh_token } = await standardTokens(at);
		for (let at30 = 0; at30 < 30; at30++) {
			const { tokens } = await refreshWithBasic(at, refresh_token);
			refresh_token = defined(tokens.refresh_token, 'refresh_token');
		}
	}),
	standardCase('a wrong scope does not use a refresh token up', async (at) => {
		const { refresh_token } = await standardTokens(at);
		const wider = { grant_type: 'refresh_token', refresh_token, scope: 'character_read credits_read' };
		equal((await at.token(wider, ...basic(at.viewer))).error, 'invalid_scope');
		equal((await refreshWithBasic(at, refresh_token)).status, 200);
	}),
	standardCase('a refresh token is revoked with POST, and its grant with it', async (at) => {
		const { access_token, refresh_token } = await standardTokens(at);
		equal((await revokeWithBasic(at, refresh_token)).status, 200);
		equal((await readCharacter(at, access_token)).status, 401);
		equal((await refreshWithBasic(at, refresh_token)).error, 'invalid_grant');
	}),
	standardCase('an access token is revoked alone', async (at) => {
		const { access_token, refresh_token } = await standardTokens(at);
		equal((await revokeWithBasic(at, access_token)).status, 200);
		equal((await readCharacter(at, access_token)).status, 401);
		equal((await refreshWithBasic(at, refresh_token)).status, 200);
	}),
	standardCase('an unknown token is revoked with 200, again and again', async (at) => {
		const { refresh_token } = await standardTokens(at);
		for (const token of ['unknown', refresh_token, refresh_token])
			equal((await revokeWithBasic(at, token)).status, 200);
	}),
	standardCase('a token of another application is not revoked', async (at) => {
		const { refresh_token } = await standardTokens(at);
		const other = await at.register('web', ['https://other.example/callback']);
		equal((await revokeWithBasic(at, refresh_token, other)).status, 400);
		equal((await refreshWithBasic(at, refresh_token)).status, 200);
	}),
	standardCase('a revocation needs the credentials of the client', async (at) => {
		const { refresh_token } = await standardTokens(at);
		equal((await revokeWithBasic(at, refresh_token, { ...at.viewer, client_secret: 'wrong' })).status, 401);
		const { client_id } = at.viewer;
		equal((await at.post('/ws/oauth2/revoke', { token: refresh_token, client_id })).status, 401);
		equal((await at.post('/ws/oauth2/revoke', { token: refresh_token })).status, 400);
		equal((await refreshWithBasic(at, refresh_token)).status, 200);
	}),
	standardCase('an installed application revokes without a secret', async (at) => {
		const app = { ...at.companion, redirect_uri: 'http://127.0.0.1:50000' };
		const { access_token, refresh_token } = await standardTokens(at, at.user(), app);
		const { client_id } = app;
		equal((await at.post('/ws/oauth2/revoke', { token: refresh_token, client_id })).status, 200);
		equal((await readCharacter(at, access_token)).status, 401);
	}),
	standardCase('revocation by GET gets 405 with Allow', async (at) => {
		const { refresh_token } = await standardTokens(at);
		const response = await at.revoke(refresh_token);
		equal([response.status, response.header('allow')], [405, 'POST']);
		equal((await refreshWithBasic(at, refresh_token)).status, 200);
	}),
	standardCase('introspection describes an access token', async (at) => {
		const { access_token } = await standardTokens(at);
		const { exp, ...fields } = fieldsOfJson((await introspect(at, access_token)).json());
		equal(fields, {
			active: true,
			scope: 'character_read',
			client_id: 'character-viewer',
			username: 'player-one',
			token_type: 'Bearer',
			sub: 'player-one',
			iss: at.base_url
		});
		ok(typeof exp === 'number' && exp * 1000 > (await at.now()), 'exp is later than now');
	}),
	standardCase('introspection describes a refresh token without exp', async (at) => {
		const { refresh_token } = await standardTokens(at);
		const fields = fieldsOfJson((await introspect(at, refresh_token)).json());
		equal([fields.active, fields.exp, fields.token_type], [true, undefined, undefined]);
	}),
	standardCase('introspection of unknown, revoked, used, expired and foreign tokens is the same', async (at) => {
		const user = at.user();
		const first = await standardTokens(at, user);
		await refreshWithBasic(at, first.refresh_token);
		const revoked = await standardTokens(at, user);
		await revokeWithBasic(at, revoked.access_token);
		const other = await at.register('web', ['https://other.example/callback']);
		const inactive = [
			await introspect(at, 'unknown'),
			await introspect(at, first.refresh_token),
			await introspect(at, revoked.access_token),
			await introspect(at, revoked.refresh_token, other)
		];
		await at.advance(4000);
		inactive.push(await introspect(at, first.access_token));
		for (const response of inactive) equal([response.status, response.text], [200, '{"active":false}']);
	}),
	standardCase('introspection needs a client with a secret', async (at) => {
		const { access_token } = await standardTokens(at);
		equal((await introspect(at, access_token, { ...at.viewer, client_secret: 'wrong' })).status, 401);
		const response = await at.post('/ws/oauth2/introspect', { token: access_token, client_id: 'pocket-companion' });
		equal([response.status, response.error], [401, 'invalid_client']);
	}),
	standardCase('introspection without a token, and by GET, is rejected', async (at) => {
		equal((await at.post('/ws/oauth2/introspect', {}, ...basic(at.viewer))).error, 'invalid_request');
		const response = await at.get('/ws/oauth2/introspect?token=x');
		equal([response.status, response.header('allow')], [405, 'POST']);
	}),
	standardCase('introspection is XML for a client that prefers it', async (at) => {
		const { access_token } = await standardTokens(at);
		const headers = [...basic(at.viewer), 'Accept', 'application/xml'];
		const response = await at.post('/ws/oauth2/introspect', { token: access_token }, ...headers);
		matches(response.text, '<introspection><active>true</active>');
	})
];

function fieldsOfJson(value: unknown): Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null ? { ...value } : {};
}
