import { describe, expect, test } from 'vitest';
import { explain } from '#client/explanations.ts';
import { hammer } from '#client/manners/hammer.ts';
import { Problem, problemOf } from '#client/problems.ts';
import { characterCall, codeOf, Workbench } from './workbench.ts';

async function signedIn() {
	const bench = new Workbench();
	const client = bench.tab('tab-1');
	const session = await bench.signIn(client);
	return { bench, client, session, call: characterCall(session.id) };
}

const limitHeaders = (bench: Workbench, remaining: number, reset = bench.service.reset) => ({
	'content-type': 'application/json',
	date: new Date(bench.service.now()).toUTCString(),
	'x-ratelimit-limit': '600',
	'x-ratelimit-remaining': String(remaining),
	'x-ratelimit-reset': String(reset)
});

describe('the credential of a call', () => {
	test('travels in the header, with the scheme OAuth', async () => {
		const { bench, client, session, call } = await signedIn();
		await client.resources.call(call);
		const sent = bench.service.requests.at(-1);
		expect(sent?.headers.get('authorization')).toBe(`OAuth ${session.access_token}`);
		expect(sent?.url.pathname).toBe('/ws/v2.0/character/Mara%20Vell');
	});

	test('or in the query, when asked to, and never in both', async () => {
		const { bench, client, session, call } = await signedIn();
		await client.resources.call({ ...call, credential: 'query' });
		const sent = bench.service.requests.at(-1);
		expect(sent?.headers.has('authorization')).toBe(false);
		expect(sent?.url.searchParams.get('access_token')).toBe(session.access_token);
		expect(JSON.stringify(client.journal.steps)).not.toContain(session.access_token);
	});
});

describe('CL-07: a 400 over the limit is not a bad request', () => {
	test('it is known by its body; the client waits for the reset and sends nothing meanwhile', async () => {
		const { bench, client, session, call } = await signedIn();
		bench.service.remaining = 1;
		await client.resources.call(call);
		const sent = bench.service.requests.length;
		const problem = problemOf(await client.resources.call(call).catch((thrown: unknown) => thrown));
		expect(problem).toMatchObject({ code: 'rate_limit_exceeded', status: 400 });
		expect(Math.abs((problem.until ?? 0) - bench.service.reset * 1000)).toBeLessThan(1000);
		for (let again = 0; again < 30; again += 1)
			expect(await codeOf(client.resources.call(call))).toBe('rate_limit_exceeded');
		expect(bench.service.requests).toHaveLength(sent + 1);
		expect(bench.service.count('/token/')).toBe(1);
		expect(await client.sessions.get(session.id)).toMatchObject({ ended: null });

		bench.time += 3_601_000;
		bench.service.remaining = 600;
		bench.service.reset += 3601;
		expect((await client.resources.call(call)).status).toBe(200);
	});

	test.each([
		['a bad request with the last call of the window', { error: 'invalid_request' }, 0, 'invalid_request'],
		['a refusal whose body says nothing', {}, 0, 'rate_limit_exceeded'],
		['a bad request whose body says nothing', {}, 12, 'invalid_request']
	])('%s', async (_, body, remaining, code) => {
		const { bench, client, call } = await signedIn();
		bench.service.override = () =>
			new Response(JSON.stringify(body), { status: 400, headers: limitHeaders(bench, remaining) });
		expect(await codeOf(client.resources.call(call))).toBe(code);
	});

	test.each([
		['in the past', -500, 1000],
		['ten hours off', 36_000, 3_600_000],
		['missing', undefined, 60_000]
	])('a reset %s is clamped', async (_, seconds, wait) => {
		const { bench, client, call } = await signedIn();
		const now = Math.floor(bench.time / 1000);
		const headers = new Headers(limitHeaders(bench, 0, now + (seconds ?? 0)));
		if (seconds === undefined) headers.delete('x-ratelimit-reset');
		bench.service.override = () => new Response('{"error":"rate_limit_exceeded"}', { status: 400, headers });
		const { until = 0 } = problemOf(await client.resources.call(call).catch((thrown: unknown) => thrown));
		expect(until - client.clock.now()).toBe(wait);
	});

	test('the wait is counted by the clock of the service', async () => {
		const { bench, client, call } = await signedIn();
		bench.ahead = 600_000;
		bench.service.remaining = 0;
		bench.service.reset = Math.floor(bench.service.now() / 1000) + 60;
		const { until = 0 } = problemOf(await client.resources.call(call).catch((thrown: unknown) => thrown));
		expect(Math.abs(until - bench.service.now() - 60_000)).toBeLessThan(2000);
	});

	test('many clients do not come back at once', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1', { jitter: () => 0.5 });
		const { id } = await bench.signIn(client);
		bench.service.remaining = 0;
		const { until = 0 } = problemOf(await client.resources.call(characterCall(id)).catch((thrown: unknown) => thrown));
		expect(until).toBeGreaterThanOrEqual(bench.service.reset * 1000 + 500);
	});
});

describe('an error in words', () => {
	test('429 is too many tries, also where the body says nothing', async () => {
		const { bench, client, call } = await signedIn();
		bench.service.override = () => new Response('Slow down', { status: 429 });
		expect(await codeOf(client.resources.call(call))).toBe('too_many_attempts');
	});

	test.each(['invalid_request', 'invalid_client', 'unreadable', 'something_odd'])(
		'%s points at nothing that the page of the callback lacks',
		(code) => {
			expect(explain(new Problem(code)).next).not.toContain('below');
		}
	);
});

describe('CL-07: silence', () => {
	test('two calls without an answer hold all others; /ratelimiting is asked, and all goes on once it is lifted', async () => {
		const { bench, client, session, call } = await signedIn();
		bench.service.silent = true;
		bench.service.standing = { state: 'blacklisted', reason: '100 refused calls' };
		expect(await codeOf(client.resources.call(call))).toBe('silence');
		expect(await codeOf(client.resources.call(call))).toBe('silence');
		const sent = bench.service.requests.length;
		for (let again = 0; again < 50; again += 1) expect(await codeOf(client.resources.call(call))).toBe('holding');
		expect(bench.service.requests).toHaveLength(sent);

		await client.breaker.tick(); // too early
		expect(bench.service.requests).toHaveLength(sent);
		bench.time += 2000;
		await client.breaker.tick();
		expect(bench.service.requests.at(-1)?.url.href).toBe('https://service.example/ratelimiting');
		expect(client.breaker.standing).toMatchObject({ blacklisted: true, reason: '100 refused calls' });
		expect(client.breaker.isOpen).toBe(true);

		for (let second = 0; second < 600; second += 1) {
			bench.time += 1000;
			await client.breaker.tick();
		}
		expect(bench.service.count('/ratelimiting')).toBeLessThan(70);
		bench.service.silent = false;
		bench.service.standing = { state: 'active', reason: '' };
		bench.time += 16_000;
		await client.breaker.tick();
		expect(client.breaker.isOpen).toBe(false);
		expect((await client.resources.call(call)).status).toBe(200);
		expect(await client.sessions.get(session.id)).toMatchObject({ ended: null });
		expect(bench.service.count('/token/')).toBe(1);
	});

	test('a limit that /ratelimiting calls open again is not waited for', async () => {
		const { bench, client, call } = await signedIn();
		bench.service.remaining = 0;
		expect(await codeOf(client.resources.call(call))).toBe('rate_limit_exceeded');
		bench.service.remaining = 600;
		const record = { pattern: call.pattern, limit: 600, remaining: 600, reset: bench.service.reset, reset_time: '' };
		bench.service.standing = { state: 'counting', ratelimits: { version: '1.0', total: 1, ratelimit: [record] } };
		await client.breaker.probe();
		expect((await client.resources.call(call)).status).toBe(200);
	});

	test('one lost answer is no silence', async () => {
		const { bench, client, call } = await signedIn();
		bench.service.silent = true;
		await codeOf(client.resources.call(call));
		bench.service.silent = false;
		expect((await client.resources.call(call)).status).toBe(200);
		bench.service.silent = true;
		expect(await codeOf(client.resources.call(call))).toBe('silence');
		expect(client.breaker.isOpen).toBe(false);
	});

	test('an answer that never comes is given up', async () => {
		const bench = new Workbench();
		const late = new AbortController();
		const client = bench.tab('tab-1', { timeout: () => late.signal });
		const { id } = await bench.signIn(client);
		let asked = false;
		const fetch = (_: string, { signal }: RequestInit) => {
			asked = true;
			return new Promise<Response>((_resolve, reject) => {
				signal?.addEventListener('abort', () => reject(new Error('timed out')));
			});
		};
		const deaf = bench.tab('tab-1', { timeout: () => late.signal, fetch });
		const code = codeOf(deaf.resources.call(characterCall(id)));
		await expect.poll(() => asked).toBe(true);
		late.abort();
		expect(await code).toBe('silence');
	});

	test('hammering goes over the limit and ends with the silence', async () => {
		const { bench, client, call } = await signedIn();
		bench.service.remaining = 40;
		let refusals = 0;
		bench.service.override = () => {
			if (bench.service.remaining > 0) return undefined;
			refusals += 1;
			if (refusals > 100) throw new TypeError('Failed to fetch');
			return undefined;
		};
		const tally = await hammer(client.resources, call, 2000, new AbortController().signal, () => undefined);
		expect(tally).toMatchObject({ accepted: 40, overLimit: 100, refused: 0 });
		expect(tally.silent).toBeGreaterThanOrEqual(2);
		expect(tally.sent).toBeLessThan(150);
		expect(client.breaker.isOpen).toBe(true);
		expect(bench.service.count('/token/')).toBe(1);
	});
});
