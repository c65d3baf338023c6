import { expect, test } from 'vitest';
import { rateLimitHistories } from '#features/inspector/rate-limit-history.ts';
import { createTestService } from '../../service/test-service.ts';
import { KindUser, worldWithKinds } from '../../conformance/kinds.ts';
import { readEntries } from './entries.ts';

test('counts the calls of the latest window, by address and pattern', async () => {
	const at = await createTestService().sandbox();
	const { access_token } = await at.user().tokens();
	await at.character(access_token);
	await at.advance(4000);
	const { access_token: next } = await at.user().tokens();
	await at.character(next);
	await at.character(next, 'Unknown');
	await at.character(next, 'Mara Vell', 'X-Tollgate-Address', '192.0.2.7');
	const found = rateLimitHistories(await readEntries(at));
	expect(found.map(({ address, calls }) => [address, calls.map(({ cost, remaining }) => [cost, remaining])])).toEqual([
		['192.0.2.7', [[1, 599]]],
		[
			'127.0.0.1',
			[
				[1, 599],
				[1, 598]
			]
		]
	]);
	expect(found[1]).toMatchObject({ pattern: '/ws/v2.0/character/*', earlierWindows: 1, limit: 600, rejected: 0 });
	expect(found[1]?.reset).toBeGreaterThan(await at.now());
});

test('counts rejected calls toward the blacklist, and shows when the address was blacklisted', async () => {
	const at = await createTestService().sandbox();
	const { access_token } = await at.user().tokens();
	await at.changeSettings({ limits: { character: 1, blacklist_after_refused: 2 } });
	await at.character(access_token);
	await at.character(access_token);
	expect(rateLimitHistories(await readEntries(at))[0]).toMatchObject({ rejected: 1, blacklisted: undefined });
	await at.character(access_token);
	const target = '/ws/v2.0/character/Mara%20Vell';
	expect(await at.trySend({ target, headers: ['Authorization', `OAuth ${access_token}`] })).toBeUndefined();
	const [history] = rateLimitHistories(await readEntries(at));
	expect(history?.calls.map(({ status, isRejected }) => [status, isRejected])).toEqual([
		[200, false],
		[400, true],
		[400, true],
		[null, true]
	]);
	expect(history).toMatchObject({ rejected: 2, remaining: 0 });
	expect(history?.blacklisted?.reason).toContain('2 requests to /ws/v2.0/character/*');
});

test('counts no call that a fault responds to', async () => {
	const at = await createTestService().sandbox();
	const { access_token } = await at.user().tokens();
	await at.character(access_token);
	await at.fault({ kind: 'rate_limited', endpoint: 'character' });
	await at.character(access_token);
	const [history] = rateLimitHistories(await readEntries(at));
	expect(history?.calls.map(({ cost, isRejected }) => [cost, isRejected])).toEqual([
		[1, false],
		[0, true]
	]);
	expect(history?.rejected).toBe(0);
});

test('has a series for the limit of each kind, with what a request costs', async () => {
	const at = await createTestService().sandbox();
	await at.controlled('PUT', 'world', worldWithKinds);
	const user = await KindUser.signIn(at);
	await user.get('payments?page=1');
	await user.send('POST', 'payments', { to: 'Bakery', amount: 3.5 });
	await user.get('payments/p-1');
	await user.get('notes');
	const found = rateLimitHistories(await readEntries(at));
	expect(found.map(({ pattern, limit, calls }) => [pattern, limit, calls.map(({ cost }) => cost)])).toEqual([
		['/ws/v2.0/notes/*', 10_000, [1]],
		['/ws/v2.0/payments/*', 40, [2, 5, 1]]
	]);
});

test('tells a rejected call from its check, whatever the words of the response and of the trace', async () => {
	const at = await createTestService().sandbox();
	const { access_token } = await at.user().tokens();
	await at.changeSettings({ limits: { character: 1 } });
	await at.character(access_token);
	await at.character(access_token);
	const entries = (await readEntries(at)).map((entry) => ({
		...entry,
		response: entry.response && { ...entry.response, body: 'Other words' },
		trace: entry.trace.map((line) => ({ ...line, detail: 'Other words' }))
	}));
	const [history] = rateLimitHistories(entries);
	expect(history?.calls.map(({ isRejected }) => isRejected)).toEqual([false, true]);
	expect(history?.rejected).toBe(1);
});
