import { expect, it } from 'vitest';
import { maxPerFamily } from '#service/sandbox/record-limits.ts';
import type { Sandbox } from '../conformance/sandbox.ts';
import { createTestService } from './test-service.ts';

/** A sandbox of a public server that other clients know the id of. */
async function sharedSandbox() {
	const tested = createTestService({ adminKey: 'the admin key' });
	return { tested, at: await tested.sandbox() };
}

async function repeat(times: number, action: (count: number) => Promise<unknown>): Promise<void> {
	for (let count = 0; count < times; count++) await action(count);
}

const limitsOf = (at: Sandbox, access_token: string, ...headers: string[]) =>
	at.get('/ws/v2.0/ratelimits', 'Authorization', `OAuth ${access_token}`, ...headers);
async function file(from: Sandbox, ...headers: string[]): Promise<number> {
	const body = JSON.stringify({ reason: 'b', resolution: 'c' });
	const all = ['Content-Type', 'application/json', ...headers];
	return (await from.send({ method: 'POST', target: '/control/tickets', headers: all, body })).status;
}
const virtual = (count: number) => ['X-Tollgate-Address', `192.0.2.${count}`] as const;

it('RM-05 virtual addresses of one client have 20 open tickets together', async () => {
	const { at } = await sharedSandbox();
	await repeat(20, async (count) => expect(await file(at.from('10.7.7.7'), ...virtual(count))).toBe(201));
	expect(await file(at.from('10.7.7.7'), ...virtual(21)), 'one client, many virtual addresses').toBe(409);
	expect(await file(at.from('10.8.8.8'), ...virtual(22)), 'another client').toBe(201);
});

it('RM-05 a client that refreshes in a loop ends its own tokens, and fills no sandbox', async () => {
	const tested = createTestService({ quotas: { bytesPerSandbox: 300 * 1024 } });
	const at = await tested.sandbox();
	const user = at.user();
	const other = await user.tokens();
	const { refresh_token, access_token } = await user.offline();
	await repeat(maxPerFamily * 2, async () => expect((await at.refresh(refresh_token)).status).toBe(200));
	expect((await limitsOf(at, access_token)).status).toBe(401);
	expect((await limitsOf(at, other.access_token)).status, 'of another sign-in').toBe(200);
	const stored = tested.store.forSandbox(at.id, { sandbox: () => 0, real: () => 0 });
	expect((await stored.list('access_token')).length).toBe(maxPerFamily + 1);
});

it('RM-05 one address gets some thousands of access tokens in five minutes from a public server', async () => {
	const tested = createTestService({ adminKey: 'the admin key', quotas: { tokensPerAddress: 5 } });
	const [at, second] = [await tested.sandbox(), await tested.sandbox()];
	const user = at.user();
	const { refresh_token } = await user.offline();
	const code = await user.code();
	await repeat(4, async () => expect((await at.refresh(refresh_token)).status).toBe(200));
	const rejected = await at.refresh(refresh_token);
	expect([rejected.status, rejected.error, rejected.header('retry-after')]).toEqual([429, 'too_many_attempts', '300']);
	expect(rejected.text).toContain('Your address got 5 access tokens within five minutes.');
	expect((await at.exchange(code)).status).toBe(429);
	const elsewhere = await second.from('10.0.0.8').user().tokens();
	expect((await limitsOf(second, elsewhere.access_token)).status, 'another address').toBe(200);
	tested.clock += 300_000;
	expect((await at.exchange(code)).status, 'it was not used').toBe(200);
	expect((await at.refresh(refresh_token)).status).toBe(200);
});

it('RM-05 a snapshot names no owners of its records', async () => {
	const { at } = await sharedSandbox();
	await at.user().offline();
	const { text } = await at.controlled('GET', 'snapshot');
	expect(text).not.toContain('createdBy');
	expect((await at.control('PUT', 'snapshot', JSON.parse(text))).status).toBe(200);
});
