import * as v from 'valibot';
import { equal, matches, ok } from '../assert.ts';
import { testCase, hostCase, storeCase, type Case } from '../case.ts';
import { queryOf } from '../user-agent.ts';
import type { Sandbox } from '../sandbox.ts';
import type { TestRequest } from '../transport.ts';
import { getBlacklisted } from './limits.ts';

const path = '/ws/v2.0/character/Mara%20Vell';
const state = v.looseObject({ state: v.string(), address: v.string(), reason: v.optional(v.string()) });
const bans = v.object({ blacklist: v.array(v.object({ address: v.string(), reason: v.string() })) });

/** RL-08 to RL-10: the blacklist. For the tickets see `tickets.ts`. */
export const blacklistCases: Case[] = [
	hostCase('RL-08 sends no byte to a blacklisted client on any service path', async (at) => {
		const user = at.user();
		const { access_token, refresh_token } = await user.offline();
		const page = await user.authorize(at.companion);
		await getBlacklisted(at);
		for (const sent of everyCall(at, access_token, refresh_token, page.hidden('interaction'))) {
			equal(await at.trySend(sent), undefined, `${sent.method ?? 'GET'} ${sent.target}`);
		}
		matches(
			await at.traffic(),
			/"response":null,"trace":\[\{"id":"address.not_blacklisted"[^\]]*\],"values":\[[^\]]*\],"credentials":\[\],"references":\[\]\}\]\}$/
		);
	}),
	hostCase('RL-08 gives no response to 100 parallel requests, also if a fault is active', async (at) => {
		await getBlacklisted(at);
		await at.controlled('POST', 'faults', { endpoint: 'character', kind: 'status', after_commit: true, times: 5 });
		const responses = await Promise.all(Array.from({ length: 100 }, () => at.trySend({ target: path })));
		ok(
			responses.every((response) => response === undefined),
			'no byte'
		);
	}),
	storeCase('RL-09 blacklists after 100 rejected requests in one window, not after 99', async (at) => {
		await at.changeSettings({ limits: { character: 120 } });
		await Promise.all(Array.from({ length: 120 }, () => at.get(path)));
		const rejected = await Promise.all(Array.from({ length: 99 }, () => at.trySend({ target: path })));
		ok(
			rejected.every((response) => response?.status === 400),
			'99 rejected'
		);
		equal((await at.get('/ratelimiting')).as(state).state, 'limited');
		equal((await at.get(path)).status, 400, 'the hundredth');
		equal(await at.trySend({ target: path }), undefined, 'from then on');
	}),
	testCase('RL-09 does not add up rejected requests of two windows', async (at) => {
		await at.changeSettings({ limits: { character: 0, blacklist_after_refused: 3 } });
		for (let window = 0; window < 3; window++) {
			for (let call = 0; call < 2; call++) equal((await at.get(path)).status, 400);
			await at.advance(3601);
		}
	}),
	storeCase(
		'RL-09 keeps a blacklist entry over time; GET /ratelimiting returns state, reason, records and the support URL',
		async (at) => {
			await getBlacklisted(at);
			await at.advance(30 * 24 * 3600);
			equal(await at.trySend({ target: path }), undefined);
			const response = await at.get('/ratelimiting');
			equal(response.status, 200);
			const said = response.as(state);
			equal(said.state, 'blacklisted');
			matches(said.reason, 'over the limit');
			for (const part of ['"ratelimits"', '/ws/v2.0/character/*', '/console/support', '/control/tickets'])
				matches(response.text, part);
			const xml = await at.get('/ratelimiting', 'Accept', 'application/xml');
			matches(xml.text, 'state="blacklisted"');
		}
	),
	testCase(
		'RL-09 shows GET /ratelimiting to browsers as a page with a link to the ticket form, and sends data to programs',
		async (at) => {
			const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
			const calm = await at.get('/ratelimiting', 'Accept', browser);
			equal([calm.status, calm.header('content-type')], [200, 'text/html; charset=utf-8']);
			matches(calm.text, 'is not blacklisted');
			await getBlacklisted(at);
			const page = await at.get('/ratelimiting', 'Accept', browser);
			for (const part of ['has been blacklisted since', 'over the limit', '/ws/v2.0/character/*'])
				matches(page.text, part);
			matches(page.text, `href="${at.base_url}/console/support"`);
			for (const [accept, type] of [
				['*/*', 'application/json; charset=utf-8'],
				['application/json, text/html;q=0.9', 'application/json; charset=utf-8'],
				['application/xml, text/html;q=0.9', 'application/xml; charset=utf-8']
			] as const) {
				equal((await at.get('/ratelimiting', 'Accept', accept)).header('content-type'), type, accept);
			}
		}
	),
	testCase('RL-09 limits GET /ratelimiting itself and rejects other methods', async (at) => {
		const responses = await Promise.all(Array.from({ length: 62 }, () => at.get('/ratelimiting')));
		equal(responses.map((response) => response.status).sort(), [...Array(60).fill(200), 400, 400]);
		equal((await at.get('/ratelimiting')).status, 400, 'and so is the next');
		await at.advance(61);
		equal((await at.get('/ratelimiting')).status, 200);
		equal((await at.send({ method: 'POST', target: '/ratelimiting' })).status, 405);
	}),
	testCase('RL-09 starts a new count after an operator unblocks an address', async (at) => {
		await getBlacklisted(at);
		const [ban] = (await at.controlled('GET', 'blacklist')).as(bans).blacklist;
		equal(ban?.address, '127.0.0.1');
		await at.changeSettings({ limits: { character: 5 } });
		await at.controlled('DELETE', 'blacklist/127.0.0.1');
		equal((await at.control('DELETE', 'blacklist/127.0.0.1')).status, 404, 'no longer');
		const response = await at.get(path);
		equal([response.status, response.limit.remaining], [401, 4]);
	}),
	hostCase('RL-10 responds to a blacklisted address on pages, controls and health', async (at) => {
		const user = at.user();
		await user.signIn();
		await getBlacklisted(at);
		for (const target of ['/account', '/control/tickets', '/control/health']) {
			equal((await user.open(target)).status, 200, target);
		}
		equal((await at.control('GET', 'sandbox')).status, 200);
	}),
	testCase(
		'RL-10 blacklists one address in one sandbox only',
		async (at) => {
			await getBlacklisted(at);
			equal((await at.from('127.0.0.2').get('/ws/oauth2/auth/')).status, 400, 'another address');
			equal(await at.trySend({ target: '/ws/oauth2/auth/' }), undefined);
		},
		['second address']
	)
];

function everyCall(at: Sandbox, access_token: string, refresh_token: string, interaction: string): TestRequest[] {
	const headers = ['Authorization', `OAuth ${access_token}`];
	const form = ['Content-Type', 'application/x-www-form-urlencoded'];
	const gets = [
		path,
		`${path}/`,
		'/ws/v2.0/ratelimits',
		`/ws/oauth2/auth/?${queryOf(at.viewer)}`,
		'/ws/oauth2/auth',
		`/ws/oauth2/auth/?interaction=${interaction}`,
		`/ws/oauth2/revoke?token=${refresh_token}&client_id=character-viewer`,
		'/ws/oauth2/token',
		'/ws/nothing',
		'/ws/oauth2/token/x',
		'/ws/v2.0/character/',
		'/%77s/v2.0/ratelimits',
		'/ws',
		'/ws/',
		'/WS/v2.0/ratelimits',
		'/account/x'
	];
	return [
		...gets.map((target) => ({ target, headers })),
		...['/ws/oauth2/token/', '/ws/oauth2/token', '/ws/oauth2/auth/', '/ws/nothing'].map((target) => ({
			method: 'POST',
			target,
			headers: form,
			body: `interaction=${interaction}&decision=approve`
		})),
		{ method: 'POST', target: '/ws/oauth2/token/', headers: form, body: 'x'.repeat(20_000) },
		{ method: 'OPTIONS', target: path },
		{ method: 'HEAD', target: path },
		{ method: 'DELETE', target: '/ws/oauth2/token/' }
	];
}
