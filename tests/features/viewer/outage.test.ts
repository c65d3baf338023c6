import { describe, expect, test } from 'vitest';
import { patterns } from '#client/service-urls.ts';
import { LoadTest, loadTestModes } from '#features/viewer/load-test.svelte.ts';
import { errorCode } from '../../client/test-browser.ts';
import { down } from '../../client/test-service.ts';
import { openSignedIn } from './signed-in-client.ts';

describe('an outage', () => {
	async function outage() {
		const opened = await openSignedIn();
		opened.service.intercept = down;
		expect(await errorCode(opened.call())).toBe('no_response');
		expect(opened.client.outage.isActive).toBe(false);
		expect(await errorCode(opened.call())).toBe('no_response');
		expect(opened.client.outage.isActive).toBe(true);
		return opened;
	}

	test('pauses all requests after two without a response', async () => {
		const { service, call } = await outage();
		const sent = service.requests.length;
		expect(await errorCode(call())).toBe('requests_paused');
		expect(service.requests).toHaveLength(sent);
	});

	test('starts after one request without a response if this client is blacklisted', async () => {
		const { browser, client, id, set } = await openSignedIn();
		await set({ character: 5, blacklist_after_refused: 12 });
		await new LoadTest(client).start(id, ['Mara Vell']);
		// A page that opens sends one request.
		const { outage, resources } = await browser.open();
		expect(await errorCode(resources.get(patterns.ratelimits, { tokenSetId: id }))).toBe('no_response');
		await expect.poll(() => outage.status?.blacklisted).toBe(true);
		expect(outage.isActive).toBe(true);
	});

	test('asks /ratelimiting once, after the first of several requests without a response', async () => {
		const { service, client } = await openSignedIn();
		for (let request = 0; request < 3; request += 1) client.outage.recordNoResponse();
		await expect.poll(() => service.count('/ratelimiting')).toBe(1);
		expect([client.outage.isActive, client.outage.status]).toEqual([true, undefined]);
	});

	test('is not started by single losses', async () => {
		const { service, client, call } = await openSignedIn();
		for (let round = 0; round < 3; round += 1) {
			service.intercept = down;
			await errorCode(call());
			service.intercept = undefined;
			await call();
		}
		expect(client.outage.isActive).toBe(false);
	});

	test('checks /ratelimiting after 2, 4, 8 and then every 10 seconds', async () => {
		const { service, client } = await outage();
		for (const pause of [2000, 4000, 8000, 10_000, 10_000]) {
			const checks = service.count('/ratelimiting');
			service.time += pause - 1;
			await client.outage.tick();
			expect(service.count('/ratelimiting')).toBe(checks);
			service.time += 1;
			await Promise.all([client.outage.tick(), client.outage.tick()]);
			expect(service.count('/ratelimiting')).toBe(checks + 1);
		}
	});

	test('continues while this client is blacklisted, and ends when it is not', async () => {
		const { service, client, call } = await outage();
		const respond = (body: unknown) => (service.intercept = () => Response.json(body));
		respond({ state: 'blacklisted', reason: '100 requests over the limit' });
		await client.outage.check();
		expect([client.outage.isActive, client.outage.status]).toMatchObject([
			true,
			{ blacklisted: true, reason: '100 requests over the limit' }
		]);
		for (const odd of [{}, [], { state: 7 }]) {
			respond(odd);
			await client.outage.check();
			expect([client.outage.isActive, client.outage.status]).toEqual([true, undefined]);
		}
		service.intercept = undefined;
		await client.outage.check();
		expect([client.outage.isActive, client.outage.hasEnded]).toEqual([false, true]);
		expect((await call()).status).toBe(200);
	});

	test('ends the wait for a reset that /ratelimiting no longer reports', async () => {
		const { client, call, set } = await openSignedIn();
		await client.settings.update({ throttle: false });
		await set({ character: 1 });
		await call();
		await errorCode(call());
		client.outage.recordNoResponse();
		client.outage.recordNoResponse();
		await set({ character: 600 });
		await client.outage.check();
		expect(await errorCode(call())).toBe('none');
	});
});

describe('the load test', () => {
	test('exceeds the limit, is blacklisted, and stops when the service stops responding', async () => {
		const { browser, client, id, set } = await openSignedIn();
		await set({ character: 5, blacklist_after_refused: 20 });
		const loadTest = new LoadTest(client);
		const running = loadTest.start(id, ['Mara Vell']);
		expect(loadTest.isRunning).toBe(true);
		await loadTest.start(id, ['Mara Vell']);
		await running;
		const { sent = 0, accepted, rateLimited = 0, noResponse = 0, canceled, otherErrors } = loadTest.result ?? {};
		expect([accepted, canceled, otherErrors, loadTest.isRunning]).toEqual([5, 0, 0, false]);
		expect(rateLimited).toBeGreaterThanOrEqual(19);
		expect(noResponse).toBeGreaterThanOrEqual(2);
		expect(sent).toBe(5 + rateLimited + noResponse);
		expect([client.outage.isActive, browser.delays]).toEqual([true, []]);
		await client.outage.check();
		expect(client.outage.status?.blacklisted).toBe(true);
	});

	test('counts the requests that the user has canceled', async () => {
		const { service, client, id } = await openSignedIn();
		const loadTest = new LoadTest(client);
		let count = 0;
		service.intercept = async () => {
			count += 1;
			if (count < 10) return undefined;
			loadTest.stop();
			throw new DOMException('aborted', 'AbortError');
		};
		await loadTest.start(id, ['Mara Vell']);
		const { sent = 0, accepted = 0, canceled = 0 } = loadTest.result ?? {};
		expect(canceled).toBeGreaterThan(0);
		expect(sent).toBe(accepted + canceled);
	});

	test.each([
		['ends with an error that repeats', 500, '', 4],
		['continues with an error of single requests', 404, '', 1600]
	])('%s', async (_, status, body, sent) => {
		const { service, client, id } = await openSignedIn();
		service.intercept = () => new Response(body, { status });
		const loadTest = new LoadTest(client);
		await loadTest.start(id, ['Mara Vell']);
		expect(loadTest.result).toMatchObject({ sent, otherErrors: sent, accepted: 0 });
		expect(loadTest.result?.error?.status).toBe(status);
	});

	test('sends nothing without a token, and shows why', async () => {
		const { service, client, id } = await openSignedIn({ scope: ['character_read'] });
		service.time += 4_000_000;
		service.requests.length = 0;
		const loadTest = new LoadTest(client);
		await loadTest.start(id, ['Mara Vell']);
		expect([loadTest.result?.sent, loadTest.result?.error?.code, service.requests]).toEqual([0, 'session_expired', []]);
	});

	test('sends 20 calls at once, which share one refresh', async () => {
		const { service, client, id } = await openSignedIn();
		const access = (await client.users.get(id))?.access_token;
		const isOld = (headers: Headers) => headers.get('authorization') === `OAuth ${access ?? ''}`;
		service.intercept = ({ headers }) => (isOld(headers) ? new Response('', { status: 401 }) : undefined);
		service.requests.length = 0;
		const loadTest = new LoadTest(client);
		await loadTest.start(id, ['Mara Vell', 'Half/Life'], loadTestModes.atOnce);
		expect(loadTest.result).toMatchObject({ sent: 40, accepted: 20, repeated: 20, otherErrors: 0 });
		expect([service.count('/token/'), service.count('/Half%2FLife')]).toEqual([1, 20]);
	});

	test('sends 20 calls in turn, and waits for the reset at the limit', async () => {
		const { browser, client, id, set } = await openSignedIn();
		await set({ character: 5, window: 30 });
		const loadTest = new LoadTest(client);
		await loadTest.start(id, ['Mara Vell'], loadTestModes.inTurn);
		const { accepted, rateLimited = 0, otherErrors } = loadTest.result ?? {};
		expect([accepted, otherErrors]).toEqual([20, 0]);
		expect(rateLimited).toBeLessThanOrEqual(3);
		expect(browser.delays.length).toBeGreaterThan(0);
	});

	test('stops while it waits for the reset', async () => {
		const { browser, id, set } = await openSignedIn();
		await set({ character: 1 });
		const sleep = () => Promise.reject(new Error('stopped'));
		const client = await browser.open('tab-1', { sleep });
		await client.settings.update({ throttle: false });
		const loadTest = new LoadTest(client);
		await loadTest.start(id, ['Mara Vell'], loadTestModes.inTurn);
		expect(loadTest.result).toMatchObject({ accepted: 1, rateLimited: 1 });
		expect(loadTest.isRunning).toBe(false);
	});
});
