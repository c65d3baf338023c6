import { equal, lacks, matches, ok } from '../assert.ts';
import { shows, type Case } from '../case.ts';
import { codeOf } from '../user-agent.ts';
import type { Reply } from '../response.ts';

/** SC-01 to SC-03, SC-08, SC-09: what the sign-in and consent pages do. */
export const consentCases: Case[] = [
	shows('SC-01 edited hidden fields have no effect: the request is held by the service', async (at) => {
		const person = at.person();
		const page = await person.askedFor(at.viewer, { state: 's' });
		const edited = {
			interaction: page.hidden('interaction'),
			decision: 'approve',
			client_id: 'pocket-companion',
			redirect_uri: 'https://evil.example/',
			scope: 'character_read credits_read',
			state: 'evil',
			access_type: 'offline'
		};
		const reply = await person.post('/ws/oauth2/auth/', edited);
		ok(reply.location.startsWith(`${at.viewer.redirect_uri}?code=`), reply.location);
		equal(reply.parameter('state'), 's');
		const { scope, refresh_token } = (await at.exchange(codeOf(reply))).tokens;
		equal([scope, refresh_token], ['character_read', undefined]);
	}),
	shows('SC-01 two flows in two tabs each finish their own request, sign-in in between', async (at) => {
		const person = at.person();
		const one = await person.authorize(at.viewer, { state: 'one' });
		const two = await person.authorize(at.viewer, { state: 'two', scope: 'credits_read' });
		const consentOne = await person.signInOn(one);
		const consentTwo = await person.open(`/ws/oauth2/auth/?interaction=${two.hidden('interaction')}`);
		const replyTwo = await person.decide(consentTwo);
		const replyOne = await person.decide(consentOne);
		equal([replyOne.parameter('state'), replyTwo.parameter('state')], ['one', 'two']);
		equal((await at.exchange(codeOf(replyTwo))).tokens.scope, 'credits_read');
		equal((await at.exchange(codeOf(replyOne))).tokens.scope, 'character_read');
	}),
	shows('SC-01 the tab that showed the sign-in page before another tab signed in can still sign in', async (at) => {
		const person = at.person();
		const one = await person.authorize(at.viewer, { state: 'one' });
		const two = await person.authorize(at.viewer, { state: 'two' });
		await person.signInOn(one);
		equal((await person.decide(await person.signInOn(two))).parameter('state'), 'two');
	}),
	shows('SC-02 a pending request of another browser is refused, like one that never was', async (at) => {
		const [victim, attacker] = [at.person(), at.person('player-two')];
		const held = await victim.askedFor();
		await attacker.askedFor();
		const stolen = await attacker.decide(held);
		const unknown = await attacker.post('/ws/oauth2/auth/', { interaction: 'A'.repeat(43), decision: 'approve' });
		for (const reply of [stolen, unknown]) equal([reply.status, reply.header('location')], [403, undefined]);
		equal(stolen.text.replaceAll(stolen.id, ''), unknown.text.replaceAll(unknown.id, ''), 'no difference');
		const bare = await at.post('/ws/oauth2/auth/', { interaction: held.hidden('interaction'), decision: 'approve' });
		equal(bare.status, 403, 'without a cookie');
		codeOf(await victim.decide(held));
	}),
	shows(
		'SC-02 a form that another site sent is refused: sign-in, consent, account, sign-out',
		async (at) => {
			const person = at.person();
			const page = await person.askedFor();
			const account = await person.open('/account');
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
					const reply = await person.post(path, fields, ...headers);
					equal([reply.status, reply.header('set-cookie')], [403, undefined], `${path} ${headers.join(' ')}`);
				}
			}
			const ours = ['Origin', new URL(at.base_url).origin, 'Sec-Fetch-Site', 'same-origin'];
			codeOf(await person.post('/ws/oauth2/auth/', { interaction, decision: 'approve' }, ...ours));
		},
		['raw headers']
	),
	shows(
		'SC-02 account and application forms without their proof, or with another browser’s, are refused',
		async (at) => {
			const [person, other] = [at.person(), at.person('player-two')];
			await person.offline();
			await other.signIn();
			const foreign = (await other.open('/account')).hidden('csrf_token');
			for (const csrf_token of [undefined, '', foreign]) {
				for (const action of ['sign-out', 'revoke']) {
					const reply = await person.post('/account', { csrf_token, action, client_id: 'character-viewer' });
					equal([reply.status, reply.header('set-cookie')], [403, undefined], action);
				}
				const support = await person.post('/support', { csrf_token, result: 'a', reason: 'b', resolution: 'c' });
				equal(support.status, 403, 'support');
				const filed = await person.post('/applications', { csrf_token, name: 'x', kind: 'installed', key: at.key });
				equal(filed.status, 403, 'applications');
			}
			matches((await person.open('/account')).text, 'Character Viewer');
		}
	),
	shows(
		'SC-03 the session id changes at sign-in, and one that was set by somebody else is worth nothing',
		async (at) => {
			const person = at.person();
			const page = await person.authorize();
			const before = new Map(person.cookies);
			const consent = await person.signInOn(page);
			ok(
				[...before].every(([name, value]) => person.cookies.get(name) !== value),
				'the cookie is another one'
			);
			matches(consent.text, 'player-one');
			const attacker = at.person();
			for (const [name, value] of before) attacker.cookies.set(name, value);
			matches((await attacker.authorize()).text, 'name="password"', 'still nobody');
			equal((await attacker.decide(consent)).status, 200, 'asked to sign in');
		}
	),
	shows('SC-03 CN-07 a cookie is worth nothing once its browser has signed in anew or out', async (at) => {
		const person = at.person();
		await person.signIn();
		const first = person.cookie();
		await person.signIn();
		const second = person.cookie();
		const isNobody = async (cookie: string[]) => (await at.get('/account', ...cookie)).text.includes('name="password"');
		equal([await isNobody(first), await isNobody(second)], [true, false]);
		await person.post('/account', { csrf_token: await csrfTokenOf(person), action: 'sign-out' });
		equal(await isNobody(second), true);
	}),
	shows('SC-03 consent is refused where somebody else signed in between the page and its answer', async (at) => {
		const person = at.person();
		const page = await person.askedFor();
		const other = at.person('player-two');
		for (const [name, value] of person.cookies) other.cookies.set(name, value);
		await other.signIn();
		const reply = await other.decide(page);
		equal([reply.status, reply.header('location')], [403, undefined]);
		equal(await at.refusal(reply), 'the decision is of the person who was asked');
	}),
	shows('SC-08 deny sends access_denied and state; the out-of-band URI gets a page without a code', async (at) => {
		const person = at.person();
		const denied = await person.decide(await person.askedFor(at.viewer, { state: 's' }), 'deny');
		equal([denied.status, denied.location], [303, `${at.viewer.redirect_uri}?error=access_denied&state=s`]);
		const page = await person.decide(await person.askedFor(at.companion, { state: 's' }), 'deny');
		equal([page.status, page.title, page.header('location')], [200, 'Denied,error=access_denied', undefined]);
		const again = await person.authorize();
		matches(again.text, 'value="approve"', 'nothing was granted');
	}),
	shows('SC-08 one code per approval: a second press, Back, and two at once get a clear page', async (at) => {
		const person = at.person();
		const page = await person.askedFor();
		const both = await Promise.all([person.decide(page), person.decide(page)]);
		equal(both.map((reply) => reply.status).sort(), [303, 403]);
		const later = await person.decide(page, 'deny');
		equal([later.status, later.header('location')], [403, undefined]);
		matches(later.text, 'answered already');
		const known = await person.authorize();
		codeOf(known);
	}),
	shows('SC-08 every redirect after a POST is 303', async (at) => {
		const person = at.person();
		const page = await person.authorize();
		const interaction = page.hidden('interaction');
		const signedIn = await person.post('/ws/oauth2/auth/', { interaction, username: 'player-one', password: 'demo' });
		const approved = await person.decide(await person.open(signedIn.location));
		const out = await person.post('/account', { csrf_token: await csrfTokenOf(person), action: 'sign-out' });
		equal([signedIn.status, approved.status, out.status], [303, 303, 303]);
	}),
	shows('SC-08 “use another account” asks the next person for the same request', async (at) => {
		const person = at.person();
		const page = await person.askedFor(at.viewer, { state: 's' });
		const switched = await person.decide(page, 'switch');
		const other = at.person('player-two');
		for (const [name, value] of person.cookies) other.cookies.set(name, value);
		const reply = await other.decide(await other.signInOn(await other.open(switched.location)));
		equal(reply.parameter('state'), 's');
		const { access_token } = (await at.exchange(codeOf(reply))).tokens;
		equal((await at.logged(await at.character(access_token))).username, 'player-two');
	})
];

async function csrfTokenOf(person: { open(target: string): Promise<Reply> }): Promise<string> {
	const page = await person.open('/account');
	lacks(page.text, 'name="password"');
	return page.hidden('csrf_token');
}
