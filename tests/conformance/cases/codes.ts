import { equal, matches, ok } from '../assert.ts';
import { testCase, storeCase, type Case } from '../case.ts';
import type { TestResponse } from '../response.ts';

/** CO: the life of an authorization code. */
export const codeCases: Case[] = [
	storeCase('CO-01 rejects a code that was already used and revokes the tokens of its first use', async (at) => {
		const user = at.user();
		for (const wait of [0, 1, 30, 599]) {
			const code = await user.code(at.viewer, { access_type: 'offline' });
			const { access_token, refresh_token } = (await at.exchange(code)).tokens;
			equal((await at.character(access_token)).status, 200);
			await at.advance(wait);
			const again = await at.exchange(code);
			equal([again.status, again.error], [400, 'invalid_grant'], `after ${wait} s`);
			equal((await at.character(access_token)).status, 401, 'the access token');
			equal((await at.refresh(refresh_token ?? '')).error, 'invalid_grant', 'the refresh token');
		}
	}),
	storeCase(
		'CO-01 keeps the tokens of other exchanges after a replay, and issues a refresh token at the next offline exchange',
		async (at) => {
			const user = at.user();
			const first = await user.offline();
			const code = await user.code(at.viewer, { access_type: 'offline' });
			const second = (await at.exchange(code)).tokens;
			equal(second.refresh_token, undefined);
			await at.exchange(code);
			equal((await at.character(second.access_token)).status, 401);
			equal((await at.character(first.access_token)).status, 200);
			equal((await at.refresh(first.refresh_token)).status, 200);
		}
	),
	storeCase('CO-02 lets one of 50 parallel exchanges succeed, and revokes its tokens', async (at) => {
		const code = await at.user().code(at.viewer, { access_type: 'offline' });
		const responses = await Promise.all(Array.from({ length: 50 }, () => at.exchange(code)));
		const won = responses.filter((response) => response.status === 200);
		equal(won.length, 1, responses.map((response) => response.text).join('\n'));
		for (const response of responses)
			if (response.status !== 200) equal([response.status, response.error], [400, 'invalid_grant']);
		const [winner] = won.map((response) => response.tokens);
		equal((await at.character(winner?.access_token ?? '')).status, 401);
		equal((await at.refresh(winner?.refresh_token ?? 'none')).status, 400);
	}),
	storeCase('CO-03 accepts a code for 600 seconds of the sandbox clock', async (at) => {
		const user = at.user();
		const [young, old] = [await user.code(), await user.code()];
		await at.advance(590);
		equal((await at.exchange(young)).status, 200);
		await at.advance(10);
		const expired = await at.exchange(old);
		equal([expired.status, expired.error], [400, 'invalid_grant']);
		matches(expired.text, 'expired');
		equal((await at.control('POST', 'clock', { advance: -3600 })).status, 400, 'the clock does not go back');
		equal((await at.exchange(old)).error, 'invalid_grant');
	}),
	testCase('CO-04 rejects a code of another client like an unknown one, and the code stays valid', async (at) => {
		const other = await at.register('web', ['https://other.example/cb']);
		const code = await at.user().code();
		const stolen = await at.exchange(code, { ...other, redirect_uri: at.viewer.redirect_uri });
		const unknown = await at.exchange('A'.repeat(43), other);
		equal([stolen.status, stolen.text], [unknown.status, unknown.text]);
		const guessed = await at.exchange(code, { ...at.viewer, client_secret: 'wrong' });
		const nothing = await at.exchange('A'.repeat(43), { ...at.viewer, client_secret: 'wrong' });
		equal([guessed.status, guessed.error, guessed.text], [401, 'invalid_client', nothing.text]);
		equal((await at.exchange(code)).status, 200);
	}),
	testCase('CO-05 rejects an exchange without a redirect_uri, and keeps the code', async (at) => {
		const code = await at.user().code();
		const response = await at.exchange(code, { ...at.viewer, redirect_uri: '' });
		equal([response.status, response.error], [400, 'invalid_request']);
		equal(await at.failedCheck(response), 'token.redirect_uri_matches');
		equal((await at.exchange(code)).status, 200);
	}),
	testCase('CO-05 rejects a different redirect_uri and invalidates the code', async (at) => {
		const user = at.user();
		const local = { ...at.companion, redirect_uri: 'http://localhost:8001' };
		const wrong: [typeof local, string][] = [
			[at.viewer, `${at.viewer.redirect_uri}/`],
			[at.viewer, 'https://evil.example/'],
			[local, 'http://localhost:8002'],
			[local, 'http://localhost:8001/'],
			[local, 'urn:ietf:wg:oauth:2.0:oob']
		];
		for (const [app, redirect_uri] of wrong) {
			const code = await user.code(app);
			const response = await at.exchange(code, { ...app, redirect_uri });
			equal([response.status, response.error], [400, 'invalid_grant'], redirect_uri);
			equal((await at.exchange(code, app)).error, 'invalid_grant', 'used up');
		}
	}),
	testCase('CO-06 issues different codes and tokens of at least 128 bits in a URL-safe alphabet', async (at) => {
		const user = at.user();
		const seen: string[] = [];
		for (let round = 0; round < 10; round++) {
			const code = await user.code(at.companion, { access_type: 'offline' });
			const { access_token, refresh_token = '' } = (await at.exchange(code, at.companion)).tokens;
			seen.push(code, access_token, refresh_token);
		}
		for (const one of seen) matches(one, /^[A-Za-z0-9_-]{22,}$/);
		equal(new Set(seen).size, seen.length);
	}),
	storeCase('CO-07 rejects a code after its consent, account, application or redirect URI was removed', async (at) => {
		const app = await at.register('web', ['https://client.example/cb']);
		await at.controlled('POST', 'accounts', { username: 'guest', password: 'secret' });
		const rejected = async (change: () => Promise<TestResponse>, error: string, username = 'player-one') => {
			const user = at.user(username);
			await user.signIn(username === 'guest' ? 'secret' : 'demo');
			const code = await user.code(app, { access_type: 'offline' });
			const { status } = await change.call(undefined);
			ok(status < 400, `the change: ${status}`);
			equal((await at.exchange(code, app)).error, error, String(change));
		};
		const user = at.user();
		await user.signIn();
		await rejected(() => user.revoke(app.client_id), 'invalid_grant');
		await rejected(() => at.control('DELETE', 'accounts/guest'), 'invalid_grant', 'guest');
		const path = `applications/${app.client_id}`;
		await rejected(() => at.control('PATCH', path, { redirect_uris: ['https://client.example/new'] }), 'invalid_grant');
		await at.controlled('PATCH', path, { redirect_uris: ['https://client.example/cb'] });
		await rejected(() => at.control('POST', `${path}/secret`), 'invalid_client');
	}),
	storeCase('CO-07 sends nothing to a redirect URI that was removed while the user decides', async (at) => {
		const app = await at.register('web', ['https://client.example/cb', 'https://client.example/new']);
		const path = `applications/${app.client_id}`;
		for (const decision of ['approve', 'deny'] as const) {
			await at.controlled('PATCH', path, { redirect_uris: [app.redirect_uri] });
			const user = at.user();
			const page = await user.openConsent(app);
			await at.controlled('PATCH', path, { redirect_uris: ['https://client.example/new'] });
			const response = await user.decide(page, decision);
			equal([response.status, response.header('location')], [403, undefined], decision);
		}
	}),
	storeCase('CO-07 treats a deleted application as an unknown client and revokes its tokens', async (at) => {
		const app = await at.register('web', ['https://client.example/cb']);
		const user = at.user();
		const { access_token, refresh_token } = await user.offline(app);
		const code = await user.code(app);
		await at.controlled('DELETE', `applications/${app.client_id}`);
		equal((await at.exchange(code, app)).error, 'invalid_client');
		equal((await at.refresh(refresh_token, app)).error, 'invalid_client');
		equal((await at.character(access_token)).status, 401);
		equal((await at.revoke(refresh_token, app.client_id)).error, 'invalid_client');
	}),
	storeCase('CO-07 rejects a refresh after the account was deleted or the secret rotated', async (at) => {
		const app = await at.register('web', ['https://client.example/cb']);
		await at.controlled('POST', 'accounts', { username: 'guest', password: 'secret' });
		const guest = at.user('guest');
		await guest.signIn('secret');
		const { refresh_token, access_token } = await guest.offline(app);
		equal((await at.refresh(refresh_token, app)).status, 200);
		await at.controlled('DELETE', 'accounts/guest');
		equal((await at.refresh(refresh_token, app)).error, 'invalid_grant');
		equal((await at.character(access_token)).status, 401);
		await at.controlled('POST', 'accounts', { username: 'guest', password: 'other' });
		matches((await guest.authorize(app)).text, 'name="password"', 'a new account of that name is signed in nowhere');
		equal((await at.refresh(refresh_token, app)).error, 'invalid_grant', 'nothing revives');
		const kept = await at.user().offline(app);
		await at.controlled('POST', `applications/${app.client_id}/secret`);
		equal((await at.refresh(kept.refresh_token, app)).error, 'invalid_client');
	})
];
