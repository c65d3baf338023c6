import { equal, lacks, matches, ok } from '../assert.ts';
import { testCase, hostCase, storeCase, type Case } from '../case.ts';
import { queryOf } from '../user-agent.ts';
import type { TestResponse } from '../response.ts';
import type { Sandbox } from '../sandbox.ts';

/** SC-04 to SC-07, SC-10, SC-11: how the pages are made. */
export const pageCases: Case[] = [
	hostCase('SC-04 SC-05 SC-06 sends the security policy with every page, also errors', async (at) => {
		for (const [name, response] of await everyPage(at)) {
			const policy = response.header('content-security-policy') ?? '';
			for (const part of ["frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"])
				matches(policy, part, name);
			lacks(policy, 'unsafe', name);
			equal(response.header('x-frame-options'), 'DENY', name);
			equal(response.header('referrer-policy'), 'same-origin', name);
			equal(response.header('cache-control'), 'no-store', name);
			equal(response.header('x-content-type-options'), 'nosniff', name);
			matches(response.header('content-type'), /^text\/html; ?charset=utf-8$/i, name);
			const { origin } = new URL(at.base_url);
			matches(policy, `script-src ${origin}/service.js ${origin}/guide.js;`, name);
			const html = response.text.replace(`<script src="${origin}/service.js"></script>`, '');
			lacks(html, /<script|javascript:| on[a-z]+=| style=/i, name);
			ok(response.text.startsWith('<!doctype html>'), name);
		}
	}),
	hostCase('SC-05 lets the form of the consent page redirect to the application only', async (at) => {
		const app = await at.register('web', ['https://client.example:8444/cb?x=1']);
		const policy = (await at.user().openConsent(app)).header('content-security-policy') ?? '';
		matches(policy, "form-action 'self' https://client.example:8444;");
		const local = { ...at.companion, redirect_uri: 'http://localhost:49152/' };
		const signIn = (await at.user().authorize(local)).header('content-security-policy') ?? '';
		matches(signIn, "form-action 'self' http://localhost:49152;");
	}),
	testCase('SC-07 shows untrusted input as inert text: names, user names, states', async (at) => {
		const names = [
			'<script>alert(1)</script>',
			'"><img src=x onerror=alert(1)>',
			'</title><h1>x',
			'javascript:alert(1)',
			'safe\u202egnp.exe',
			'a\u200bb',
			'\ud800lone',
			'long '.repeat(16).trim()
		];
		for (const name of names) {
			const app = await at.register('web', ['https://client.example/cb'], name);
			const page = await at.user().authorize(app);
			lacks(page.text, /<script(?! src=)|<img|<h1>x|\u202e|\u200b|[\ud800-\udbff](?![\udc00-\udfff])/i, name);
			matches(page.text, '<bdi>');
		}
		const evil = at.user('<script>"\'>');
		const problem = await evil.signInOn(await evil.authorize());
		equal(problem.status, 403);
		lacks(problem.text, '<script>');
		matches(problem.text, '&lt;script&gt;');
	}),
	testCase('SC-07 rejects or shortens a name of 10 KB', async (at) => {
		const json = { name: 'x'.repeat(10_000), kind: 'installed' };
		equal((await at.control('POST', 'applications', json)).status, 400);
		const app = await at.register('installed', [], 'x'.repeat(80));
		lacks((await at.user().authorize(app)).text, 'x'.repeat(81));
	}),
	testCase('SC-10 shows the out-of-band code in title and body, uncached, without third-party content', async (at) => {
		const page = await at.user().allow(at.companion, { state: 'a b' });
		const [, code = ''] = /^Success,code=([\w-]{22,})$/.exec(page.title) ?? [];
		ok(page.text.split(code).length === 3, `once in the title and once in the body: ${page.title}`);
		matches(page.text, 'a b');
		equal(page.header('cache-control'), 'no-store');
		const addresses = [...page.text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, address = '']) => address);
		ok(
			addresses.every((address) => address.startsWith(new URL(at.base_url).origin)),
			addresses.join(' ')
		);
		equal((await at.exchange(code, at.companion)).status, 200);
	}),
	testCase('SC-11 responds alike to an unknown user and a wrong password', async (at) => {
		const texts: string[] = [];
		for (const username of ['player-one', 'unknown-user']) {
			const user = at.user(username);
			const page = await user.signInOn(await user.authorize(), 'wrong');
			equal(page.status, 403);
			texts.push(page.text.replaceAll(username, '').replaceAll(page.hidden('interaction'), ''));
		}
		equal(texts[0], texts[1]);
	}),
	storeCase(
		'SC-11 checks 10 of 50 parallel guesses, also for unknown users, and locks no other user out',
		async (at) => {
			for (const username of ['player-one', 'unknown-user']) {
				const user = at.user(username);
				const page = await user.authorize();
				const tries = await Promise.all(Array.from({ length: 50 }, (_, at) => user.signInOn(page, `wrong ${at}`)));
				const statuses = tries.map((response) => response.status);
				equal([count(statuses, 403), count(statuses, 429)], [10, 40], username);
				equal((await user.signInOn(page, 'demo')).status, 429, 'even the right one, for now');
			}
			equal((await at.user('player-two').signIn()).status, 303, 'another account from there');
		}
	),
	testCase(
		'SC-02 opens pages from links on another site, and rejects its scripts and frames',
		async (at) => {
			const link = ['Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-Dest', 'document'];
			for (const page of ['/account']) {
				equal((await at.get(page, ...link)).status, 200, page);
			}
			equal((await at.get('/control/status', 'Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', 'no-cors')).status, 403);
			equal((await at.get('/control/sandbox', ...link)).status, 403, 'no page');
			equal((await at.post('/account', 'action=sign-out', ...link)).status, 403, 'no link');
		},
		['raw headers']
	),
	hostCase('SC-06 HT-12 sends the content of pages as JSON to programs that ask for it', async (at) => {
		const asked = await at.get(`/ws/oauth2/auth/?${queryOf(at.viewer)}`, 'Accept', 'application/json');
		matches(asked.text, '"step":"sign_in"');
		const account = await at.get('/account', 'Accept', 'application/json');
		matches(account.text, '"signed_in":false');
		const error = await at.get('/ws/oauth2/auth/?client_id=x', 'Accept', 'application/json');
		equal([error.status, error.error], [400, 'invalid_request']);
	})
];

async function everyPage(at: Sandbox): Promise<[string, TestResponse][]> {
	const user = at.user();
	const signIn = await user.authorize();
	const consent = await user.signInOn(signIn);
	return [
		['sign-in', signIn],
		['consent', consent],
		['out-of-band', await user.allow(at.companion)],
		['rejection', await user.decide(await user.openConsent(at.companion), 'deny')],
		['error', await at.get('/ws/oauth2/auth/?client_id=x')],
		['forbidden', await at.post('/ws/oauth2/auth/', 'interaction=x')],
		['method', await at.send({ method: 'PUT', target: '/ws/oauth2/auth/' })],
		['wrong password', await at.user().signInOn(await at.user().authorize(), 'wrong')],
		['account', await user.open('/account')],
		['account, signed out', await at.get('/account')],
		['account, rejected', await at.post('/account', 'action=sign-out')]
	];
}

function count(statuses: readonly number[], status: number): number {
	return statuses.filter((one) => one === status).length;
}
