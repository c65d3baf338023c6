import { describe, expect, test } from 'vitest';
import { makeBinding } from '#client/sign-in/request.ts';
import { codeOf, started, wishes, Workbench } from './workbench.ts';

describe('CL-01: state is checked before anything else', () => {
	test('a state has 256 random bits, and no two are alike', async () => {
		const states = await Promise.all(Array.from({ length: 200 }, async () => (await makeBinding()).state));
		expect(new Set(states).size).toBe(200);
		for (const state of states) expect(state).toMatch(/^[\w-]{43}$/);
	});

	test('the answer to a started sign-in is exchanged once, with the verifier', async () => {
		const { bench, client, binding, answer } = await started();
		const session = await client.arrive(answer({ code: 'code-1' }));
		expect(session.access_token).not.toBe('');
		expect(bench.service.requests).toHaveLength(1);
		const [{ form } = { form: new URLSearchParams() }] = bench.service.requests;
		expect(Object.fromEntries(form)).toEqual({
			grant_type: 'authorization_code',
			code: 'code-1',
			client_id: 'character-viewer',
			client_secret: 'viewer-secret',
			redirect_uri: 'https://service.example/viewer/callback',
			code_verifier: binding.verifier
		});
	});

	test('without PKCE no verifier is sent', async () => {
		const bench = new Workbench();
		await bench.signIn(bench.tab('tab-1'), { ...wishes, pkce: false });
		expect(bench.service.requests[0]?.form.has('code_verifier')).toBe(false);
	});

	test.each([
		['missing', { code: 'x' }, 'state_missing'],
		['empty', { code: 'x', state: '' }, 'state_missing'],
		['unknown', { code: 'x', state: 'A'.repeat(43) }, 'state_unknown']
	])('state %s: refused, and nothing is sent', async (_, fields, code) => {
		const { bench, client } = await started();
		expect(await codeOf(client.arrive(new URLSearchParams(fields)))).toBe(code);
		expect(bench.service.requests).toHaveLength(0);
	});

	test('a callback without a started sign-in is refused', async () => {
		const bench = new Workbench();
		expect(await codeOf(bench.tab('tab-1').arrive(new URLSearchParams('code=x&state=y')))).toBe('state_unknown');
		expect(bench.service.requests).toHaveLength(0);
	});

	test('a state works once, also when two tabs race for it', async () => {
		const { bench, client, answer } = await started();
		const twin = bench.tab('tab-1'); // a duplicated tab has the same id
		const all = [client, client, twin, twin].map((one) => codeOf(one.arrive(answer({ code: 'code-1' }))));
		expect((await Promise.all(all)).toSorted()).toEqual(['none', 'state_used', 'state_used', 'state_used']);
		expect(bench.service.requests).toHaveLength(1);
	});

	test('an answer that arrives in another tab is refused there and still good in its own', async () => {
		const { bench, client, answer } = await started();
		expect(await codeOf(bench.tab('tab-2').arrive(answer({ code: 'code-1' })))).toBe('state_elsewhere');
		expect(bench.service.requests).toHaveLength(0);
		expect(await codeOf(client.arrive(answer({ code: 'code-1' })))).toBe('none');
	});

	test('sign-ins of two tabs do not disturb each other, however one of them ends', async () => {
		const { bench, client, answer } = await started();
		const other = await started(bench, 'tab-2');
		expect(await codeOf(other.client.arrive(other.answer({ error: 'access_denied' })))).toBe('access_denied');
		await client.arrive(answer({ code: 'code-1' }));
		expect(bench.service.requests[0]?.form.get('code_verifier')).not.toBeNull();
		expect(await codeOf(other.client.lastArrival())).toBe('access_denied');
	});

	test('twenty sign-ins under way are remembered, the oldest gives way', async () => {
		const bench = new Workbench();
		const [oldest, second] = [await started(bench), await started(bench)];
		for (let others = 0; others < 19; others += 1) await started(bench);
		expect(await codeOf(oldest.client.arrive(oldest.answer({ code: 'x' })))).toBe('state_unknown');
		expect(await codeOf(second.client.arrive(second.answer({ code: 'x' })))).toBe('none');
	});

	test('once it is over, nothing is kept that could be exchanged', async () => {
		const { bench, client, binding, answer } = await started();
		await client.arrive(answer({ code: 'code-1' }));
		expect(JSON.stringify(await bench.shelf.read('flows'))).not.toContain(binding.verifier);
	});

	test('a state is forgotten after ten minutes', async () => {
		const { bench, client, answer } = await started();
		bench.time += 10 * 60_000;
		expect(await codeOf(client.arrive(answer({ code: 'code-1' })))).toBe('state_unknown');
	});
});

describe('CL-02: the service is remembered with the state', () => {
	test('an answer on the callback of another service is refused, and no code leaves', async () => {
		const { bench, answer } = await started();
		const flowsOfX = bench.shelf;
		const y = new Workbench('https://other.example');
		const client = y.tab('tab-1', { shelf: flowsOfX });
		expect(client.endpoints.base_url).toBe('https://other.example');
		expect(await codeOf(client.arrive(answer({ code: 'code-1' })))).toBe('service_mixed_up');
		expect(y.service.requests).toHaveLength(0);
		expect(bench.service.requests).toHaveLength(0);
	});

	test('iss is checked where it is there', async () => {
		const first = await started();
		expect(await codeOf(first.client.arrive(first.answer({ code: 'x', iss: 'https://evil.example' })))).toBe(
			'service_mixed_up'
		);
		expect(first.bench.service.requests).toHaveLength(0);
		const second = await started();
		expect(await codeOf(second.client.arrive(second.answer({ code: 'x', iss: 'https://service.example' })))).toBe(
			'none'
		);
	});
});

describe('CL-03: odd answers', () => {
	test.each([
		['a code and an error', { code: 'x', error: 'access_denied' }, 'answer_ambiguous'],
		['a code and a wrapped answer', { code: 'x', response: 'y' }, 'answer_ambiguous'],
		['neither', {}, 'answer_empty'],
		['an empty code', { code: '' }, 'answer_empty'],
		['a refusal', { error: 'access_denied' }, 'access_denied'],
		['an unknown error', { error: 'odd_thing' }, 'odd_thing']
	])('%s', async (_, fields, code) => {
		const { bench, client, answer } = await started();
		expect(await codeOf(client.arrive(answer(fields)))).toBe(code);
		expect(bench.service.requests).toHaveLength(0);
	});

	test.each(['code', 'state', 'error'])('%s twice', async (name) => {
		const { bench, client, answer } = await started();
		const twice = answer({ code: 'x' });
		twice.append(name, 'y');
		twice.append(name, 'z');
		expect(await codeOf(client.arrive(twice))).toBe('answer_ambiguous');
		expect(bench.service.requests).toHaveLength(0);
	});

	test('an answer with two states uses no sign-in up: the one with its own state is still good', async () => {
		const { client, answer } = await started();
		const twice = answer({ code: 'x' });
		twice.append('state', 'another');
		expect(await codeOf(client.arrive(twice))).toBe('answer_ambiguous');
		expect(await codeOf(client.arrive(answer({ code: 'code-1' })))).toBe('none');
	});

	test('every answer that is refused stands in the log, with the reason', async () => {
		const { client, answer } = await started();
		await codeOf(client.arrive(new URLSearchParams({ code: 'x' })));
		await codeOf(client.arrive(new URLSearchParams({ code: 'x', state: 'A'.repeat(43) })));
		await codeOf(client.arrive(answer({ error: 'access_denied', error_description: 'No.' })));
		const refused = client.journal.steps.filter(({ kind }) => kind === 'refused');
		expect(refused.map(({ facts }) => facts)).toEqual([
			[['because', 'state_missing']],
			[['because', 'state_unknown']],
			[['because', 'access_denied: No.']]
		]);
	});

	test('what the service says about an error is made harmless', async () => {
		const { client, answer } = await started();
		const hostile = `<img onerror=x>\u202e\n${'a'.repeat(900)}`;
		const said = await client.arrive(answer({ error: 'invalid_scope', error_description: hostile })).catch(String);
		expect(said).toMatch(/^Problem: <img onerror=x> a{180,}…$/);
	});

	test('silence in the middle of the exchange: the code is not sent again', async () => {
		const { bench, client, answer } = await started();
		bench.service.silent = true;
		expect(await codeOf(client.arrive(answer({ code: 'code-1' })))).toBe('exchange_unknown');
		bench.service.silent = false;
		expect(await codeOf(client.arrive(answer({ code: 'code-1' })))).toBe('state_used');
		expect(bench.service.requests).toHaveLength(1);
	});

	test('a callback page opened again says how it ended, without sending anything', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		expect(await client.lastArrival()).toBeUndefined();
		const session = await bench.signIn(client);
		expect(await bench.tab('tab-1').lastArrival()).toBe(session.id);
		expect(await bench.tab('tab-2').lastArrival()).toBeUndefined();

		const refused = await started(bench);
		await codeOf(refused.client.arrive(refused.answer({ error: 'access_denied' })));
		expect(await codeOf(bench.tab('tab-1').lastArrival())).toBe('access_denied');
		expect(bench.service.requests).toHaveLength(1);
	});

	test('of a sign-in at another service it says nothing', async () => {
		const { bench, client, answer } = await started();
		await client.arrive(answer({ code: 'code-1' }));
		const elsewhere = new Workbench('https://other.example').tab('tab-1', { shelf: bench.shelf });
		expect(await elsewhere.lastArrival()).toBeUndefined();
	});

	test.each([
		[503, 'server_error'],
		[404, 'unreadable']
	])('a token endpoint that answers %i without a word: %s, and the code is used up', async (status, code) => {
		const { bench, client, answer } = await started();
		bench.service.override = () => new Response('<!doctype html>', { status });
		expect(await codeOf(client.arrive(answer({ code: 'code-1' })))).toBe(code);
		expect(await codeOf(client.arrive(answer({ code: 'code-1' })))).toBe('state_used');
		expect(bench.service.requests).toHaveLength(1);
	});

	test('a page left in the middle of the exchange says so', async () => {
		const { bench, client, answer } = await started();
		bench.service.override = () => new Promise(() => undefined);
		void client.arrive(answer({ code: 'code-1' }));
		await expect.poll(() => bench.service.requests.length).toBe(1);
		expect(await codeOf(bench.tab('tab-1').lastArrival())).toBe('exchange_interrupted');
	});
});
