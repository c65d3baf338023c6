import { equal, matches, ok } from '../assert.ts';
import { testCase, storeCase, type Case } from '../case.ts';
import type { TestUser } from '../user-agent.ts';

/** RF: refresh. */
export const refreshCases: Case[] = [
	storeCase('RF-01 accepts a refresh token 100 times in parallel and issues no new one', async (at) => {
		const { access_token, refresh_token } = await at.user().offline();
		const responses = [await at.refresh(refresh_token), await at.refresh(refresh_token)];
		responses.push(...(await Promise.all(Array.from({ length: 100 }, () => at.refresh(refresh_token)))));
		for (const response of responses) equal([response.status, response.tokens.refresh_token], [200, undefined]);
		const tokens = [access_token, ...responses.map((response) => response.tokens.access_token)];
		equal(new Set(tokens).size, 103);
		for (const token of tokens) equal((await at.character(token)).status, 200);
	}),
	storeCase('RF-01 refreshes after the access token has expired', async (at) => {
		const { access_token, refresh_token } = await at.user().offline();
		await at.advance(100 * 24 * 3600);
		equal((await at.character(access_token)).status, 401);
		const { access_token: next } = (await at.refresh(refresh_token)).tokens;
		equal((await at.character(next)).status, 200);
	}),
	testCase('RF-02 rejects foreign, unknown and other tokens with the same invalid_grant', async (at) => {
		const other = await at.register('web', ['https://other.example/cb']);
		const user = at.user();
		const { access_token, refresh_token } = await user.offline();
		const code = await user.code();
		const texts = new Set<string>();
		const wrong = [
			await at.refresh(refresh_token, other),
			await at.refresh(access_token),
			await at.refresh(code),
			await at.refresh('A'.repeat(43)),
			await at.refresh('x'),
			await at.refresh('__proto__'),
			await at.refresh(`${refresh_token} `)
		];
		for (const response of wrong) {
			equal([response.status, response.error], [400, 'invalid_grant']);
			texts.add(response.text);
		}
		equal(texts.size, 1);
		equal((await at.exchange(refresh_token)).error, 'invalid_grant', 'a refresh token is no code');
		equal((await at.exchange(code)).status, 200, 'the code is left alone');
	}),
	testCase('RF-03 narrows the scope for one token, never widens it, and keeps the grant', async (at) => {
		const { refresh_token } = await at.user().offline(at.viewer, { scope: 'character_read location_read' });
		const narrow = (await at.refresh(refresh_token, at.viewer, { scope: 'character_read' })).tokens;
		equal(narrow.scope, 'character_read');
		const shown = await at.character(narrow.access_token);
		ok(!shown.text.includes('location'), shown.text);
		for (const scope of ['character_read location_read', 'location_read character_read']) {
			const same = (await at.refresh(refresh_token, at.viewer, { scope })).tokens;
			equal(same.scope.split(' ').sort(), ['character_read', 'location_read']);
		}
		for (const scope of ['character_read credits_read', 'credits_read', 'unknown', 'character', 'character_read "']) {
			const wide = await at.refresh(refresh_token, at.viewer, { scope });
			equal([wide.status, wide.error], [400, 'invalid_scope'], scope);
		}
		matches((await at.refresh(refresh_token)).tokens.scope, 'location_read');
	}),
	storeCase('RF-03 adds what the user allows later to the refresh token of the first exchange', async (at) => {
		const user = at.user();
		const { refresh_token } = await user.offline(at.viewer, { scope: 'character_read' });
		await user.tokens(at.viewer, { access_type: 'offline', scope: 'credits_read' });
		const { scope } = (await at.refresh(refresh_token)).tokens;
		equal(scope.split(' ').sort(), ['character_read', 'credits_read']);
	}),
	storeCase('RF-04 leaves no working token after parallel refreshes and a revocation, in many rounds', async (at) => {
		await at.changeSettings({ limits: { character: 100_000 } });
		let rounds = 0;
		// Grants of different users do not affect each other.
		const users = ['player-one', 'player-two', 'player-three'].map((username) => at.user(username));
		await Promise.all(users.map((user) => user.signIn()));
		const race = async (user: TestUser) => {
			while (rounds < (at.transport.rounds ?? 20)) {
				const round = rounds++;
				const { refresh_token, access_token } = await user.offline();
				const racing = [at.refresh(refresh_token), at.revoke(refresh_token), at.refresh(refresh_token)];
				const [before, revoked, after] = await Promise.all(round % 2 === 0 ? racing : racing.toReversed());
				equal(revoked?.status, 200);
				const late = await at.refresh(refresh_token);
				equal([late.status, late.error], [400, 'invalid_grant']);
				for (const response of [before, after]) {
					if (response?.status === 200) equal((await at.character(response.tokens.access_token)).status, 401);
				}
				equal((await at.character(access_token)).status, 401);
			}
		};
		await Promise.all(users.map(race));
	})
];
