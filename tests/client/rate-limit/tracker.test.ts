import { describe, expect, test } from 'vitest';
import { parseRateLimitHeaders, remainingAt } from '#client/rate-limit/rate-limit-headers.ts';
import { RetryAt } from '#client/rate-limit/retry-at.ts';
import { sleep } from '#client/rate-limit/sleep.ts';
import { throttleDelay } from '#client/rate-limit/throttle.ts';
import { RateLimitTracker } from '#client/rate-limit/tracker.ts';
import { errorCode } from '../test-browser.ts';

describe('throttling and retries', () => {
	const rateLimit = { limit: 100, remaining: 100, reset: 3_600_000 };

	test('delays nothing above half of the limit, and spreads the last tenth evenly', () => {
		expect(throttleDelay(undefined, 0)).toBe(0);
		expect(throttleDelay({ ...rateLimit, remaining: 51 }, 0)).toBe(0);
		expect(throttleDelay({ ...rateLimit, remaining: 10, reset: 100_000 }, 0)).toBe(10_000);
		expect(throttleDelay({ ...rateLimit, remaining: 30, reset: 100_000 }, 0)).toBe(1667);
		expect(throttleDelay({ ...rateLimit, remaining: 5 }, 0)).toBe(20_000);
		expect(throttleDelay({ ...rateLimit, remaining: 0 }, 0)).toBe(0);
		expect(throttleDelay({ ...rateLimit, remaining: 5 }, 3_600_000)).toBe(0);
	});

	test('clamps the reset time, and adds a random delay', () => {
		const retryAt = new RetryAt(() => 0.5);
		const now = 1_000_000_000;
		expect(retryAt.block('a', now - 5000, now)).toBe(now + 1000 + 1000);
		expect(retryAt.block('b', now + 36_000_000, now)).toBe(now + 3_600_000 + 1000);
		expect(retryAt.block('c', undefined, now)).toBe(now + 60_000 + 1000);
		expect(retryAt.blockedUntil('c', now)).toBe(now + 61_000);
		expect(retryAt.blockedUntil('c', now - 7_200_000)).toBeUndefined();
		expect(retryAt.blockedUntil('a', now + 2000)).toBeUndefined();
	});
});

describe('the tracker', () => {
	test('reads the headers, and ignores invalid ones', () => {
		const headers = (limit: string, remaining: string, reset: string) =>
			parseRateLimitHeaders(
				new Headers({ 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset })
			);
		expect(headers('600', '599', '1800')).toEqual({ limit: 600, remaining: 599, reset: 1_800_000 });
		expect(headers('5', '9', '1')).toEqual({ limit: 5, remaining: 5, reset: 1000 });
		for (const invalid of ['-1', '1.5', 'x', '', '9'.repeat(13)]) expect(headers('600', '1', invalid)).toBeUndefined();
		expect(headers('0', '0', '1')).toBeUndefined();
		expect(parseRateLimitHeaders(new Headers())).toBeUndefined();
	});

	test('counts down within a window whatever the order of the responses', () => {
		const tracker = new RateLimitTracker();
		const update = (remaining: number, reset: number, now: number) =>
			tracker.update('a', { limit: 10, remaining, reset }, now).remaining;
		expect([update(8, 5000, 0), update(9, 5000, 1), update(7, 5000, 2)]).toEqual([8, 8, 7]);
		expect(update(9, 9000, 6000)).toBe(9);
		expect(update(3, 5000, 6001)).toBe(9);
		expect(tracker.get('a')).toMatchObject({ remaining: 9, reset: 9000, updatedAt: 6000 });
	});

	test('has all calls back after the reset', () => {
		const rateLimit = { limit: 10, remaining: 2, reset: 5000 };
		expect([remainingAt(rateLimit, 4999), remainingAt(rateLimit, 5000)]).toEqual([2, 10]);
	});
});

test('a wait can be canceled', async () => {
	const abort = new AbortController();
	const waiting = errorCode(sleep(60_000, abort.signal));
	abort.abort();
	expect(await waiting).toBe('aborted');
	expect(await errorCode(sleep(60_000, abort.signal))).toBe('aborted');
	expect(await errorCode(sleep(0))).toBe('none');
});
