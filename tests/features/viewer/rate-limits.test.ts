import { describe, expect, test } from 'vitest';
import { patterns } from '#client/service-urls.ts';
import { addSample, resample, type Gauge } from '#features/viewer/gauge.ts';
import { RateLimits } from '#features/viewer/viewer.svelte.ts';
import { errorCode } from '../../client/test-browser.ts';
import { down } from '../../client/test-service.ts';
import { openSignedIn } from './signed-in-client.ts';

describe('the rate limits', () => {
	test('follow the headers of responses until stopped', async () => {
		const { client, call } = await openSignedIn();
		const rateLimits = new RateLimits(client);
		const stop = rateLimits.start();
		await call();
		await call();
		expect(rateLimits.gauges).toMatchObject([{ pattern: patterns.character, limit: 600, remaining: 598 }]);
		expect(rateLimits.gauges[0]?.samples.map(({ remaining }) => remaining)).toEqual([599, 598]);
		stop();
		await call();
		expect(rateLimits.gauges).toMatchObject([{ remaining: 598 }]);
	});

	test('are fetched once at a time, update the gauges, and are kept with their time over a reload', async () => {
		const { browser, service, client, id, call } = await openSignedIn();
		await call();
		const rateLimits = new RateLimits(client);
		rateLimits.start();
		await Promise.all([rateLimits.fetch(id), rateLimits.fetch(id)]);
		expect(service.count('/ratelimits')).toBe(1);
		expect(rateLimits.gauges).toContainEqual(expect.objectContaining({ pattern: patterns.character, remaining: 599 }));
		const fetchedAt = service.time;
		service.time += 60_000;
		expect(new RateLimits(await browser.open()).gauges).toContainEqual(
			expect.objectContaining({ updatedAt: fetchedAt })
		);
	});

	test('say that there was no response until the next one', async () => {
		const { service, client, id, call } = await openSignedIn();
		const rateLimits = new RateLimits(client);
		rateLimits.start();
		service.intercept = down;
		await rateLimits.fetch(id);
		expect([rateLimits.noResponse, rateLimits.error?.code]).toEqual([true, 'no_response']);
		service.intercept = undefined;
		await call();
		expect([rateLimits.noResponse, rateLimits.error]).toEqual([false, undefined]);
	});

	test('end the wait for a reset that the service no longer reports', async () => {
		const { client, id, call, set } = await openSignedIn();
		await client.settings.update({ throttle: false });
		await set({ character: 1 });
		await call();
		expect(await errorCode(call())).toBe('rate_limit_exceeded');
		await set({ character: 600 });
		expect(await errorCode(call())).toBe('rate_limit_exceeded');
		await new RateLimits(client).fetch(id);
		expect(await errorCode(call())).toBe('none');
	});

	test('report no error if access has ended, which the page says about the user', async () => {
		const { service, client, id } = await openSignedIn();
		const rateLimits = new RateLimits(client);
		const user = await client.users.get(id);
		await service.revoke(user?.refresh_token ?? '');
		await rateLimits.fetch(id);
		expect([(await client.users.get(id))?.ended, rateLimits.error]).toEqual(['access_revoked', undefined]);
	});

	test('keep what is known if fetching fails', async () => {
		const { service, client, id } = await openSignedIn();
		const rateLimits = new RateLimits(client);
		await rateLimits.fetch(id);
		service.intercept = () => new Response('', { status: 500 });
		await rateLimits.fetch(id);
		expect([rateLimits.error?.code, rateLimits.isFetching, rateLimits.gauges.length]).toMatchObject([
			'server_error',
			false,
			expect.any(Number)
		]);
		service.intercept = undefined;
		await rateLimits.fetch(id);
		expect(rateLimits.error).toBeUndefined();
	});

	test('are restored after a reload with the throttle, unless their window has ended', async () => {
		const { browser, service, client, call, set } = await openSignedIn();
		await set({ character: 4 });
		for (let calls = 0; calls < 3; calls += 1) await call();
		new RateLimits(client);
		browser.hide();
		const reloaded = await browser.open();
		expect(new RateLimits(reloaded).gauges).toMatchObject([{ pattern: patterns.character, remaining: 1, limit: 4 }]);
		expect(reloaded.resources.delay(patterns.character)).toBeGreaterThan(0);
		service.time += 3_700_000;
		expect(new RateLimits(await browser.open()).gauges).toEqual([]);
	});
});

describe('the course of a gauge', () => {
	test('draws nothing for fewer than five samples', () => {
		const samples = Array.from({ length: 5 }, (_, at) => ({ at, remaining: 9 - at }));
		expect([0, 1, 4, 5].map((count) => resample(samples.slice(0, count), 10).length)).toEqual([0, 0, 0, 60]);
	});

	test('draws the samples at equal time steps, of the current window only', () => {
		const samples = [
			{ at: 0, remaining: 9 },
			{ at: 10, remaining: 8 },
			{ at: 50, remaining: 5 },
			{ at: 70, remaining: 5 },
			{ at: 90, remaining: 4 }
		];
		expect(resample(samples, 100, 5)).toEqual([9, 8, 5, 5, 4]);
		let known: Gauge | undefined;
		for (let remaining = 600; remaining > 0; remaining -= 1) {
			known = addSample(known, { pattern: 'a', limit: 600, remaining, reset: 1, updatedAt: 600 - remaining });
		}
		expect(known?.samples.length).toBeLessThanOrEqual(240);
		expect(known?.samples[0]?.remaining).toBe(600);
		expect(
			addSample(known, { pattern: 'a', limit: 600, remaining: 599, reset: 2, updatedAt: 700 }).samples
		).toHaveLength(1);
	});
});
