import { describe, expect, test } from 'vitest';
import { characterCall, codeOf, Workbench } from './workbench.ts';

async function signedIn(base_url?: string) {
	const bench = new Workbench(base_url);
	const client = bench.tab('tab-1');
	const session = await bench.signIn(client);
	client.journal.clear();
	return { bench, client, session, call: characterCall(session.id) };
}

describe('what goes out, and what comes of it, stands in the log', () => {
	test('for whom it was, how long it took, and the headers that matter', async () => {
		const { bench, client, session, call } = await signedIn();
		const headers = {
			'x-request-id': 'r-1',
			'x-ratelimit-limit': '9',
			server: 'secret',
			'x-my-vary': 'no',
			'date-of': 'no'
		};
		bench.service.override = () => {
			bench.time += 250;
			return Response.json({ name: 'X' }, { headers });
		};
		await client.resources.call(call);
		await client.resources.call(call);
		const [sent, received, again] = client.journal.steps;
		expect(sent).toMatchObject({ kind: 'sent', session: session.id, message: { body: '' } });
		expect(sent?.message?.line).toBe(`GET ${call.address}`);
		expect(received).toMatchObject({
			what: '200 from /ws/v2.0/character/Mara%20Vell',
			session: session.id,
			message: { exchange: sent?.message?.exchange, line: '200', requestId: 'r-1', duration: 250 }
		});
		const names = received?.message?.headers.map(([name]) => name) ?? [];
		expect(names.toSorted()).toEqual(['content-type', 'x-ratelimit-limit', 'x-request-id']);
		expect(again?.message?.exchange).not.toBe(sent?.message?.exchange);
	});

	test('silence: for how long, and what the platform said', async () => {
		const { bench, client, session, call } = await signedIn();
		bench.service.override = () => {
			bench.time += 700;
			throw new TypeError('Failed to fetch');
		};
		expect(await codeOf(client.resources.call(call))).toBe('silence');
		expect(client.journal.steps.at(-1)).toMatchObject({
			kind: 'failed',
			what: 'No answer from /ws/v2.0/character/Mara%20Vell',
			facts: [
				['after', '700 ms'],
				['said', 'Failed to fetch']
			],
			session: session.id
		});
	});

	test('a call that was stopped is no silence of the service', async () => {
		const { bench, client, call } = await signedIn();
		const stop = new AbortController();
		bench.service.override = () => {
			stop.abort();
			throw new Error('aborted');
		};
		for (let calls = 0; calls < 3; calls += 1)
			expect(await codeOf(client.resources.call({ ...call, signal: stop.signal }))).toBe('stopped');
		expect(client.breaker.isOpen).toBe(false);
		expect(client.journal.steps.at(-1)).toMatchObject({
			kind: 'noticed',
			what: 'Stopped waiting for /ws/v2.0/character/Mara%20Vell'
		});
	});

	test('a redirect that was not followed is an answer that nobody can read', async () => {
		const { bench, client, call } = await signedIn();
		bench.service.override = () => Response.error();
		for (let calls = 0; calls < 3; calls += 1) expect(await codeOf(client.resources.call(call))).toBe('unreadable');
		expect(client.breaker.isOpen).toBe(false);
	});
});

describe('secrets travel encrypted, or not at all', () => {
	test('over http nothing is sent to the token endpoint', async () => {
		const bench = new Workbench('http://service.example');
		expect(await codeOf(bench.signIn(bench.tab('tab-1')))).not.toBe('none');
		expect(bench.service.requests).toEqual([]);
	});

	test.each(['http://localhost:4173', 'http://127.0.0.1:4173', 'http://[::1]:4173'])(
		'but within this machine: %s',
		async (base_url) => {
			const { bench } = await signedIn(base_url);
			expect(bench.service.count('/token/')).toBe(1);
		}
	);
});
