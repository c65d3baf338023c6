import { expect, it } from 'vitest';
import { encode, formType } from '../conformance/sandbox.ts';
import { createTestService } from './test-service.ts';

it('CO-03 a code is good until 600 seconds have passed, to the millisecond', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const user = at.user();
	for (const [later, status] of [
		[599_000, 200],
		[599_999, 200],
		[600_000, 400],
		[601_000, 400]
	] as const) {
		const code = await user.code();
		tested.clock += later;
		expect((await at.exchange(code)).status, `${later} ms`).toBe(status);
	}
});

it('CO-03 RS-03 a clock that is set back revives nothing that was used, revoked or replayed', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const user = at.user();
	const { refresh_token, access_token } = await user.offline();
	const code = await user.code();
	await at.exchange(code);
	await at.revoke(refresh_token);
	tested.clock -= 7_200_000;
	expect((await at.exchange(code)).error).toBe('invalid_grant');
	expect((await at.refresh(refresh_token)).error).toBe('invalid_grant');
	expect((await at.character(access_token)).status).toBe(401);
});

it('RS-03 an access token is good until 3920 seconds have passed, to the millisecond', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const { access_token, expires_in } = await at.user().tokens();
	tested.clock += expires_in * 1000 - 1;
	expect((await at.character(access_token)).status).toBe(200);
	tested.clock += 1;
	expect((await at.character(access_token)).status).toBe(401);
});

it('RL-03 a window ends exactly at its reset', async () => {
	const tested = createTestService();
	tested.clock += 345;
	const at = await tested.sandbox();
	await at.changeSettings({ limits: { character: 1 }, lifetimes: { access_token: 100_000 } });
	const { access_token } = await at.user().tokens();
	const { reset } = (await at.character(access_token)).limit;
	expect(reset * 1000 - tested.clock).toBeGreaterThanOrEqual(3_600_000);
	expect(reset * 1000 - tested.clock).toBeLessThan(3_601_000);
	tested.clock = reset * 1000 - 1000;
	expect((await at.character(access_token)).status).toBe(400);
	tested.clock = reset * 1000;
	const { limit } = await at.character(access_token);
	expect([limit.remaining, limit.reset]).toEqual([0, reset + 3600]);
});

it('RL-03 a machine clock set back by two hours neither prolongs a window beyond an hour nor refills it', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const { access_token } = await at.user().tokens();
	await at.character(access_token);
	tested.clock -= 7_200_000;
	const { limit } = await at.character(access_token);
	expect(limit.remaining).toBe(598);
	expect(limit.reset * 1000 - (await at.now())).toBeLessThanOrEqual(3_600_000);
	tested.clock += 3_600_000;
	expect((await at.refresh('unknown')).error, 'the clock of the sandbox continues').toBe('invalid_grant');
	expect((await at.get('/ratelimiting')).text).toContain('"remaining":600');
});

it('CO-03 RS-03 a machine clock that is set back makes no expired code or token valid, looked at or not', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const user = at.user();
	const [seen, unseen, token] = [await user.code(), await user.code(), (await user.tokens()).access_token];
	tested.clock += 4_000_000;
	expect((await at.exchange(seen)).error).toBe('invalid_grant');
	tested.clock -= 4_000_000;
	for (const code of [seen, unseen]) expect((await at.exchange(code)).error).toBe('invalid_grant');
	expect((await at.character(token)).status).toBe(401);
	const fresh = await user.code();
	tested.clock += 599_000;
	expect((await at.exchange(fresh)).status, 'the clock goes on').toBe(200);
});

it('CO-03 a code that was rejected as expired stays rejected after the clock of its sandbox is lost', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const code = await at.user().code();
	tested.clock += 601_000;
	expect((await at.exchange(code)).error).toBe('invalid_grant');
	tested.clock -= 601_000;
	const restarted = createTestService({ store: tested.store, now: () => tested.clock });
	const { viewer } = at;
	const body = encode({ grant_type: 'authorization_code', code, ...viewer });
	const target = `/~${at.id}/ws/oauth2/token/`;
	const response = await restarted.transport.send({ method: 'POST', target, headers: formType, body });
	expect(response?.body).toContain('invalid_grant');
});

it('SC-11 failed guesses are forgotten after five minutes', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	for (let guess = 0; guess < 10; guess++) expect((await at.user().signIn('wrong')).status).toBe(403);
	const rejected = await at.user().signIn();
	expect([rejected.status, rejected.header('retry-after')]).toEqual([429, '300']);
	await at.advance(3600);
	expect((await at.user().signIn()).status, 'the sandbox’s clock is no way around').toBe(429);
	tested.clock += 300_000;
	expect((await at.user().signIn()).status).toBe(303);
});

it('SC-11 many addresses have one guess each at one account in five minutes, and lock out no other address', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const statuses: number[] = [];
	for (let from = 0; from < 10; from++) {
		const guesser = at.from(`10.0.${from}.1`);
		for (let guess = 0; guess < 11; guess++) statuses.push((await guesser.user().signIn('wrong')).status);
	}
	expect(statuses.filter((status) => status === 403)).toHaveLength(100);
	const late = at.from('10.0.99.1');
	expect((await late.user().signIn('wrong')).status).toBe(403);
	expect((await late.user().signIn('wrong')).status, 'one guess instead of ten').toBe(429);
	expect((await at.from('10.0.88.1').user().signIn()).status, 'the user signs in').toBe(303);
});

it('SC-11 one address cannot guess at all accounts', async () => {
	const at = await createTestService().sandbox();
	const sprayed: number[] = [];
	for (let guess = 0; guess < 101; guess++) {
		sprayed.push((await at.from('10.9.9.9').user(`unknown-${guess}`).signIn('wrong')).status);
	}
	expect(sprayed[99]).toBe(403);
	expect(sprayed[100]).toBe(429);
});

it('SC-11 TK-06 unknown and wrong cost the same work', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const work = async (call: () => Promise<unknown>) => {
		const before = { ...tested.calls };
		await call();
		return [tested.calls.digest - before.digest, tested.calls.scrypt - before.scrypt];
	};
	const guess = async (username: string) => {
		const user = at.user(username);
		const csrf_token = (await user.open('/account')).hidden('csrf_token');
		return work(() => user.post('/account', { csrf_token, action: 'sign-in', username, password: 'wrong' }));
	};
	expect(await guess('player-one')).toEqual(await guess('unknown-user'));
	expect((await guess('player-one'))[1]).toBe(1);
	const wrong = await work(() => at.refresh('x', { ...at.viewer, client_secret: 'wrong' }));
	expect(await work(() => at.refresh('x', { ...at.viewer, client_id: 'unknown' }))).toEqual(wrong);
});

it('RM-07 a fault left on ends after an hour of the real clock', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	await at.controlled('POST', 'faults', { endpoint: 'revoke', kind: 'drop', times: 1000 });
	expect(await at.trySend({ target: '/ws/oauth2/revoke' })).toBeUndefined();
	tested.clock += 3_600_000;
	expect((await at.get('/ws/oauth2/revoke')).status).toBe(400);
});
