import { equal, lacks, matches, ok } from '../assert.ts';
import { hostCase, type Case } from '../case.ts';
import { queryOf } from '../user-agent.ts';

/** HT, as far as requests can test it on every host: methods, lengths, headers, and what every response contains. */
export const messageCases: Case[] = [
	hostCase('HT-10 sends 405 with Allow for a method that a path does not accept', async (at) => {
		const allowed: [string, string, string][] = [
			['/ws/oauth2/auth/', 'GET, POST', 'PUT'],
			['/ws/oauth2/token/', 'POST', 'DELETE'],
			['/ws/oauth2/revoke', 'GET', 'PATCH'],
			['/ws/v2.0/character/x', 'GET', 'PUT'],
			['/ws/v2.0/ratelimits', 'GET', 'POST'],
			['/ratelimiting', 'GET', 'POST'],
			['/account', 'GET, HEAD, POST', 'PUT'],
			['/control/clock', 'GET, POST, DELETE', 'PUT'],
			['/control/tickets', 'GET, POST', 'DELETE'],
			['/control/health', 'GET', 'HEAD'],
			['/control/applications/x', 'GET, PATCH, DELETE', 'PUT']
		];
		for (const [target, allow, method] of allowed) {
			const response = await at.send({ method, target });
			equal([response.status, response.header('allow')], [405, allow], `${method} ${target}`);
		}
		for (const target of ['/control', '/control/', '/control/nothing', '/control/clock/x']) {
			equal((await at.send({ method: 'PUT', target })).status, 404, target);
		}
	}),
	hostCase('HT-10 accepts HEAD where a page accepts GET: same headers, no body', async (at) => {
		const lasting = ['content-type', 'content-security-policy', 'x-frame-options', 'cache-control', 'vary'];
		for (const target of ['/account', '/account?x=1']) {
			const [get, head] = [await at.get(target), await at.send({ method: 'HEAD', target })];
			equal([head.status, head.text], [200, ''], target);
			for (const name of lasting) equal(head.header(name), get.header(name), `${target} ${name}`);
		}
	}),
	hostCase(
		'HT-10 rejects methods of other protocols',
		async (at) => {
			for (const method of ['TRACE', 'PROPFIND', 'PURGE', 'SEARCH']) {
				for (const target of ['/ws/oauth2/token/', '/ws/v2.0/ratelimits', '/control/clock']) {
					const response = await at.send({ method, target });
					ok([400, 404, 405, 501].includes(response.status), `${method} ${target}: ${response.status}`);
				}
			}
		},
		['any method']
	),
	hostCase('HT-05 sends 413 for a body over the limit on every path that reads one', async (at) => {
		const body = `csrf_token=x&padding=${'x'.repeat(70_000)}`;
		const form = ['Content-Type', 'application/x-www-form-urlencoded'];
		const user = at.user();
		await user.signIn();
		for (const target of ['/ws/oauth2/auth/', '/ws/oauth2/token/', '/account']) {
			for (const inChunks of [false, true]) {
				const headers = [...form, ...user.cookie()];
				const response = await at.send({ method: 'POST', target, headers, body, inChunks });
				equal(response.status, 413, target);
				equal((await at.get('/ratelimiting')).status, 200, 'the next request');
			}
		}
		const headers = ['Content-Type', 'application/json', 'X-Tollgate-Key', at.key];
		equal((await at.send({ method: 'POST', target: '/control/faults', headers, body })).status, 413);
	}),
	hostCase('HT-06 responds to the next request after an early response to a long body', async (at) => {
		const body = 'x'.repeat(100_000);
		for (let round = 0; round < 3; round++) {
			equal((await at.send({ method: 'PUT', target: '/ws/oauth2/token/', body })).status, 405);
			equal((await at.get('/ratelimiting')).status, 200);
		}
	}),
	hostCase(
		'HT-11 does not split or corrupt headers by untrusted input',
		async (at) => {
			const uri = 'https://client.example/cb?x=%0D%0AX-Evil:%201&y=%e2%82%ac';
			const app = await at.register('web', [uri]);
			const response = await at.user().allow(app, { state: '\r\nX-Evil: 1\r\n\u0000é€' });
			ok(response.location.startsWith(`${uri}&code=`), response.location);
			equal(response.all('x-evil'), []);
			for (const value of response.headers) matches(value, /^[\x20-\x7e]*$/);
			const cors = await at.get('/ws/v2.0/ratelimits', 'Origin', 'https://é.example');
			equal(cors.header('access-control-allow-origin'), undefined);
		},
		['raw headers']
	),
	hostCase('HT-08 builds no URL from Host or X-Forwarded-Host', async (at) => {
		const user = at.user();
		const page = await user.authorize(at.viewer, {}, 'X-Forwarded-Host', 'evil.example', 'X-Forwarded-Proto', 'http');
		lacks(page.text, 'evil.example');
		matches(page.text, `action="${at.base_url}/ws/oauth2/auth/"`);
	}),
	hostCase('sends a unique X-Request-Id that finds the entry in the traffic log', async (at) => {
		const user = at.user();
		const responses = [
			await at.get('/ws/v2.0/ratelimits'),
			await at.get('/ws/nothing'),
			await at.token(''),
			await at.get(`/ws/oauth2/auth/?${queryOf(at.viewer)}`),
			await user.open('/account'),
			await at.get('/ratelimiting'),
			await at.send({ method: 'OPTIONS', target: '/ws/oauth2/token/' })
		];
		const ids = new Set(responses.map((response) => response.id));
		equal(ids.size, responses.length);
		for (const response of responses) {
			const { trace } = await at.logged(response);
			ok(trace.length > 0, 'a trace');
			for (const line of trace) ok(/^[a-z_]+\.[a-z0-9_]+$/.test(line.id) && line.name !== '', JSON.stringify(line));
		}
		ok((await at.control('GET', 'clock')).id !== '', 'controls too');
	}),
	hostCase('the Date header follows the clock of the sandbox', async (at) => {
		await at.advance(1_000_000_000);
		const response = await at.get('/ratelimiting');
		const date = Date.parse(response.header('date') ?? '');
		ok(Math.abs(date - (await at.now())) < 60_000, response.header('date') ?? '');
		equal(response.all('date').length, 1);
	})
];
