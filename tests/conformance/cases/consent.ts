import { equal, lacks, matches, ok } from '../assert.ts';
import { testCase, hostCase, storeCase, type Case } from '../case.ts';
import { codeOf } from '../user-agent.ts';
import type { TestResponse } from '../response.ts';

/** SC-01 to SC-03, SC-08, SC-09: what the sign-in and consent pages do. */
export const consentCases: Case[] = [
	testCase('SC-01 ignores edited hidden fields: the request is stored by the service', async (at) => {
		const user = at.user();
		const page = await user.openConsent(at.viewer, { state: 's' });
		const edited = {
			interaction: page.hidden('interaction'),
			decision: 'approve',
			client_id: 'pocket-companion',
			redirect_uri: 'https://evil.example/',
			scope: 'character_read credits_read',
			state: 'evil',
			access_type: 'offline'
		};
		const response = await user.post('/ws/oauth2/auth/', edited);
		ok(response.location.startsWith(`${at.viewer.redirect_uri}?code=`), response.location);
		equal(response.parameter('state'), 's');
		const { scope, refresh_token } = (await at.exchange(codeOf(response))).tokens;
		equal([scope, refresh_token], ['character_read', undefined]);
	}),
	storeCase('SC-01 finishes the requests of two tabs independently, with a sign-in in between', async (at) => {
		const user = at.user();
		const one = await user.authorize(at.viewer, { state: 'one' });
		const two = await user.authorize(at.viewer, { state: 'two', scope: 'credits_read' });
		const consentOne = await user.signInOn(one);
		const consentTwo = await user.open(`/ws/oauth2/auth/?interaction=${two.hidden('interaction')}`);
		const replyTwo = await user.decide(consentTwo);
		const replyOne = await user.decide(consentOne);
		equal([replyOne.parameter('state'), replyTwo.parameter('state')], ['one', 'two']);
		equal((await at.exchange(codeOf(replyTwo))).tokens.scope, 'credits_read');
		equal((await at.exchange(codeOf(replyOne))).tokens.scope, 'character_read');
	}),
	testCase('SC-01 lets a tab sign in whose sign-in page is older than the sign-in of another tab', async (at) => {
		const user = at.user();
		const one = await user.authorize(at.viewer, { state: 'one' });
		const two = await user.authorize(at.viewer, { state: 'two' });
		await user.signInOn(one);
		equal((await user.decide(await user.signInOn(two))).parameter('state'), 'two');
	}),
	testCase('SC-02 rejects a pending request of another browser like an unknown one', async (at) => {
		const [victim, attacker] = [at.user(), at.user('player-two')];
		const held = await victim.openConsent();
		await attacker.openConsent();
		const stolen = await attacker.decide(held);
		const unknown = await attacker.post('/ws/oauth2/auth/', { interaction: 'A'.repeat(43), decision: 'approve' });
		for (const response of [stolen, unknown]) equal([response.status, response.header('location')], [403, undefined]);
		equal(stolen.text.replaceAll(stolen.id, ''), unknown.text.replaceAll(unknown.id, ''), 'no difference');
		const bare = await at.post('/ws/oauth2/auth/', { interaction: held.hidden('interaction'), decision: 'approve' });
		equal(bare.status, 403, 'without a cookie');
		codeOf(await victim.decide(held));
	}),
	testCase(
		'SC-02 rejects forms sent from another site: sign-in, consent, account, sign-out',
		async (at) => {
			const user = at.user();
			const page = await user.openConsent();
			const account = await user.open('/account');
			const foreign = [
				['Origin', 'https://evil.example'],
				['Origin', 'null'],
				['Sec-Fetch-Site', 'cross-site'],
				['Sec-Fetch-Site', 'same-site']
			];
			const interaction = page.hidden('interaction');
			const csrf_token = account.hidden('csrf_token');
			for (const headers of foreign) {
				const forms: [string, Record<string, string>][] = [
					['/ws/oauth2/auth/', { interaction, decision: 'approve' }],
					['/ws/oauth2/auth/', { interaction, username: 'player-one', password: 'demo' }],
					['/account', { csrf_token, action: 'sign-out' }],
					['/account', { csrf_token, action: 'sign-in', username: 'player-two', password: 'demo' }]
				];
				for (const [path, fields] of forms) {
					const response = await user.post(path, fields, ...headers);
					equal([response.status, response.header('set-cookie')], [403, undefined], `${path} ${headers.join(' ')}`);
				}
			}
			const ours = ['Origin', new URL(at.base_url).origin, 'Sec-Fetch-Site', 'same-origin'];
			codeOf(await user.post('/ws/oauth2/auth/', { interaction, decision: 'approve' }, ...ours));
		},
		['raw headers']
	),
	testCase('SC-02 rejects account forms without a CSRF token, or with that of another browser', async (at) => {
		const [user, other] = [at.user(), at.user('player-two')];
		await user.offline();
		await other.signIn();
		const foreign = (await other.open('/account')).hidden('csrf_token');
		for (const csrf_token of [undefined, '', foreign]) {
			for (const action of ['sign-out', 'revoke', 'revoke-all']) {
				const response = await user.post('/account', { csrf_token, action, client_id: 'character-viewer' });
				equal([response.status, response.header('set-cookie')], [403, undefined], action);
			}
		}
		matches((await user.open('/account')).text, '<bdi>Character Viewer</bdi>');
	}),
	hostCase(
		'SC-03 sets the session cookie at sign-in and not on a visit, so that sandboxes do not fill a browser',
		async (at) => {
			const user = at.user();
			for (const path of ['/account', '/ratelimiting']) await user.open(path);
			const page = await user.authorize();
			equal(user.cookies.size, 0, 'after visits');
			await user.signInOn(page);
			equal(user.cookies.size, 1, 'after the sign-in');
		}
	),
	testCase(
		'SC-02 continues a request that was started without a cookie in the browser that signs in, and in no other',
		async (at) => {
			const [user, other] = [at.user(), at.user('player-two')];
			const page = await user.authorize();
			const consent = await user.signInOn(page);
			await other.signIn();
			const interaction = page.hidden('interaction');
			equal((await other.open(`/ws/oauth2/auth/?interaction=${interaction}`)).status, 403);
			equal((await other.decide(consent)).status, 403);
			codeOf(await user.decide(consent));
		}
	),
	hostCase('SC-03 changes the session id at sign-in, so that a planted one is useless', async (at) => {
		const [user, planting] = [at.user(), at.user('player-two')];
		await planting.signIn();
		const before = new Map(planting.cookies);
		await planting.post('/account', { csrf_token: await csrfTokenOf(planting), action: 'sign-out' });
		for (const [name, value] of before) user.cookies.set(name, value);
		const consent = await user.signInOn(await user.authorize());
		equal(before.size, 1);
		ok(
			[...before].every(([name, value]) => user.cookies.get(name) !== value),
			'the cookie is another one'
		);
		matches(consent.text, 'player-one');
		const attacker = at.user();
		for (const [name, value] of before) attacker.cookies.set(name, value);
		matches((await attacker.authorize()).text, 'name="password"', 'still not signed in');
		equal((await attacker.decide(consent)).status, 200, 'asked to sign in');
	}),
	testCase('SC-03 CN-07 invalidates a cookie once its browser has signed in again or out', async (at) => {
		const user = at.user();
		await user.signIn();
		const first = user.cookie();
		await user.signIn();
		const second = user.cookie();
		const isSignedOut = async (cookie: string[]) =>
			(await at.get('/account', ...cookie)).text.includes('name="password"');
		equal([await isSignedOut(first), await isSignedOut(second)], [true, false]);
		await user.post('/account', { csrf_token: await csrfTokenOf(user), action: 'sign-out' });
		equal(await isSignedOut(second), true);
	}),
	testCase('SC-03 rejects consent if another user signed in after the page was shown', async (at) => {
		const user = at.user();
		const page = await user.openConsent();
		const other = at.user('player-two');
		for (const [name, value] of user.cookies) other.cookies.set(name, value);
		await other.signIn();
		const response = await other.decide(page);
		equal([response.status, response.header('location')], [403, undefined]);
		equal(await at.failedCheck(response), 'interaction.decided_by_prompted_user');
	}),
	testCase(
		'SC-08 sends access_denied and state after a denial; the out-of-band URI gets a page without a code',
		async (at) => {
			const user = at.user();
			const denied = await user.decide(await user.openConsent(at.viewer, { state: 's' }), 'deny');
			equal([denied.status, denied.location], [303, `${at.viewer.redirect_uri}?error=access_denied&state=s`]);
			const page = await user.decide(await user.openConsent(at.companion, { state: 's' }), 'deny');
			equal([page.status, page.title, page.header('location')], [200, 'Denied,error=access_denied', undefined]);
			const again = await user.authorize();
			matches(again.text, 'value="approve"', 'nothing was granted');
		}
	),
	storeCase(
		'SC-08 issues one code per approval: a second press, Back and parallel requests get an error page',
		async (at) => {
			const user = at.user();
			const page = await user.openConsent();
			const both = await Promise.all([user.decide(page), user.decide(page)]);
			equal(both.map((response) => response.status).sort(), [303, 403]);
			const later = await user.decide(page, 'deny');
			equal([later.status, later.header('location')], [403, undefined]);
			matches(later.text, 'You have completed this sign-in');
			const known = await user.authorize();
			codeOf(known);
		}
	),
	hostCase('SC-08 redirects with 303 after a POST', async (at) => {
		const user = at.user();
		const page = await user.authorize();
		const interaction = page.hidden('interaction');
		const signedIn = await user.post('/ws/oauth2/auth/', { interaction, username: 'player-one', password: 'demo' });
		const approved = await user.decide(await user.open(signedIn.location));
		const out = await user.post('/account', { csrf_token: await csrfTokenOf(user), action: 'sign-out' });
		equal([signedIn.status, approved.status, out.status], [303, 303, 303]);
	}),
	testCase('SC-08 asks the next user to decide the same request after "Use another account"', async (at) => {
		const user = at.user();
		const page = await user.openConsent(at.viewer, { state: 's' });
		const switched = await user.decide(page, 'switch');
		const other = at.user('player-two');
		for (const [name, value] of user.cookies) other.cookies.set(name, value);
		const response = await other.decide(await other.signInOn(await other.open(switched.location)));
		equal(response.parameter('state'), 's');
		const { access_token } = (await at.exchange(codeOf(response))).tokens;
		equal((await at.logged(await at.character(access_token))).username, 'player-two');
	})
];

async function csrfTokenOf(user: { open(target: string): Promise<TestResponse> }): Promise<string> {
	const page = await user.open('/account');
	lacks(page.text, 'name="password"');
	return page.hidden('csrf_token');
}
