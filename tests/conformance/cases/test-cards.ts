import * as v from 'valibot';
import { testCards } from '#api/control/test-cards.ts';
import { equal, matches, ok } from '../assert.ts';
import { testCase, hostCase, type Case } from '../case.ts';
import type { TestResponse } from '../response.ts';
import type { Sandbox } from '../sandbox.ts';

const offline = { access_type: 'offline' };

/** TC-01 to TC-03: names that choose the outcome from inside the request. */
export const testCardCases: Case[] = [
	testCase('TC-01 lists the test cards without a key, and whether the sandbox uses them', async (at) => {
		const response = await at.get('/control/test-cards');
		const { enabled, cards } = v.parse(testCards, response.json());
		equal([response.status, enabled], [200, true]);
		equal(
			cards.map(({ name }) => name),
			[
				'Test Slow',
				'Test Error',
				'Test Drop',
				'Test Long',
				'test-declines',
				'test-wrong-password',
				'test-revoked',
				'test-short-token'
			]
		);
		await at.changeSettings({ test_cards: false });
		equal(v.parse(testCards, (await at.get('/control/test-cards')).json()).enabled, false);
	}),
	hostCase('TC-01 delays, fails, drops and lengthens the responses of four characters, and counts them', async (at) => {
		const { access_token } = await at.user().tokens();
		const began = Date.now();
		const slow = await at.character(access_token, 'Test Slow');
		equal([slow.status, slow.limit.remaining], [200, 599]);
		ok(Date.now() - began >= 2900, `only ${Date.now() - began} ms`);
		await showsCard(at, slow, 'character.not_a_test_card', 'Test Slow');
		const error = await at.character(access_token, 'Test Error');
		equal([error.status, error.error, error.limit.remaining], [500, 'server_error', 598]);
		equal(await at.failedCheck(error), 'character.not_a_test_card');
		const target = '/ws/v2.0/character/Test%20Drop';
		equal(await at.trySend({ target, headers: ['Authorization', `OAuth ${access_token}`] }), undefined);
		for (const format of ['application/json', 'application/xml']) {
			const long = await at.character(access_token, 'Test Long', 'Accept', format);
			equal(long.status, 200);
			ok(long.text.length > 128 * 1024 && long.text.length < 140_000, `${long.text.length} characters`);
		}
		equal((await at.character(access_token)).limit.remaining, 594);
	}),
	testCase('TC-01 applies the test card of a character to authorized requests only', async (at) => {
		const narrow = await at.user().tokens(at.viewer, { scope: 'credits_read' });
		for (const name of ['Test Slow', 'Test Error', 'Test Drop', 'Test Long']) {
			equal((await at.character('unknown', name)).status, 401, name);
			equal((await at.character(narrow.access_token, name)).error, 'insufficient_scope', name);
		}
	}),
	testCase('TC-02 declines for test-declines after the sign-in, and does not keep its session', async (at) => {
		const user = at.user('test-declines');
		const declined = await user.openConsent(at.viewer, { state: 'x y' });
		equal([declined.status, declined.parameter('error'), declined.parameter('state')], [303, 'access_denied', 'x y']);
		await showsCard(at, declined, 'consent.not_declined_by_test_account', 'test-declines');
		matches((await user.authorize()).text, 'name="password"');
		const page = await user.openConsent(at.companion);
		equal(page.title, 'Denied,error=access_denied');
	}),
	testCase('TC-02 declines for test-declines where it is signed in already, and its own approval', async (at) => {
		const user = at.user('test-declines');
		const page = await user.authorize();
		equal((await user.signIn()).status, 303);
		equal((await user.authorize()).parameter('error'), 'access_denied');
		const interaction = page.hidden('interaction');
		const consent = await user.open(`/ws/oauth2/auth/?interaction=${interaction}`);
		equal((await user.decide(consent)).parameter('error'), 'access_denied');
	}),
	testCase('TC-02 rejects every password of test-wrong-password', async (at) => {
		const user = at.user('test-wrong-password');
		const page = await user.openConsent();
		equal(page.status, 403);
		matches(page.text, 'Incorrect username or password.');
		await showsCard(at, page, 'interaction.password_is_correct', 'test-wrong-password');
		equal((await user.signIn('')).status, 403);
	}),
	testCase('TC-02 revokes the grant of test-revoked right after the exchange', async (at) => {
		const user = at.user('test-revoked');
		const response = await at.exchange(await user.code(at.viewer, offline));
		const { access_token, refresh_token } = response.tokens;
		equal(response.status, 200);
		await showsCard(at, response, 'token.code_exchanged', 'test-revoked');
		equal(await at.failedCheck(await at.character(access_token)), 'access_token.not_revoked');
		equal((await at.refresh(refresh_token ?? '')).error, 'invalid_grant');
		const again = await user.openConsent();
		matches(again.text, 'value="approve"', 'nothing was granted');
	}),
	testCase('TC-02 issues tokens of two minutes to test-short-token', async (at) => {
		const issued = await at.exchange(await at.user('test-short-token').code(at.viewer, offline));
		const { access_token, expires_in, refresh_token } = issued.tokens;
		equal(expires_in, 120);
		await showsCard(at, issued, 'token.code_exchanged', 'test-short-token');
		await at.advance(110);
		equal((await at.character(access_token)).status, 200);
		await at.advance(11);
		equal((await at.character(access_token)).status, 401);
		const refreshed = await at.refresh(refresh_token ?? '');
		equal(refreshed.tokens.expires_in, 120);
		equal((await at.character(refreshed.tokens.access_token)).status, 200);
	}),
	testCase('TC-03 treats test cards as unknown while they are off', async (at) => {
		const { access_token } = await at.user().tokens();
		const short = await at.user('test-short-token').tokens();
		await at.changeSettings({ test_cards: false });
		for (const name of ['Test Slow', 'Test Error', 'Test Drop', 'Test Long']) {
			equal((await at.character(access_token, name)).error, 'not_found', name);
		}
		equal((await at.character(short.access_token)).error, 'invalid_token');
		for (const name of ['test-declines', 'test-revoked', 'test-short-token']) {
			equal((await at.user(name).openConsent()).status, 403, name);
		}
		equal((await at.control('DELETE', 'accounts/test-revoked')).status, 404);
		await at.changeSettings({ test_cards: true });
		equal((await at.character(access_token, 'Test Error')).status, 500);
	}),
	testCase('TC-03 never lists, creates or deletes a test card as an account', async (at) => {
		const listed = (await at.controlled('GET', 'accounts')).text;
		ok(!listed.includes('test-'), listed);
		const account = { username: 'test-declines', password: 'mine' };
		for (const test_cards of [true, false]) {
			await at.changeSettings({ test_cards });
			const response = await at.control('POST', 'accounts', account);
			equal([response.status, response.error], [409, 'conflict']);
		}
		await at.changeSettings({ test_cards: true });
		equal((await at.control('DELETE', 'accounts/test-declines')).status, 409);
	})
];

/** The decision trace of a response names the test card at this check. */
async function showsCard(at: Sandbox, response: TestResponse, check: string, name: string): Promise<void> {
	const { trace } = await at.logged(response);
	matches(trace.find(({ id }) => id === check)?.detail, `Test card ${name}. `, check);
}
