import { describe, expect, test } from 'vitest';
import { LoadTest, loadTestModes } from '#features/viewer/load-test.svelte.ts';
import { openSignedIn } from './signed-in-client.ts';

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
		expect([loadTest.result?.error?.code, browser.delays]).toEqual(['no_response', []]);
		expect(await client.isBlacklisted()).toBe(true);
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
