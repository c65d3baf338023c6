import { describe, expect, it } from 'vitest';
import { maxPerFamily, recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import { createMemoryStore } from '#store/memory.ts';
import type { Sandbox } from '../conformance/sandbox.ts';
import { createTestService } from './test-service.ts';

/** How many records of each kind a sandbox of these tests holds. */
const most = 30;
const flooded = [
	'token_family',
	'code',
	'access_token',
	'pending_authorization',
	'browser_session',
	'rate_limit_window',
	'blacklist_entry',
	'ticket'
] as const;

/** A public server whose sandboxes hold few records, and one sandbox that other clients know the id of. */
async function sharedSandbox() {
	const limits = { ...recordLimits };
	for (const kind of flooded) Object.assign(limits, { [kind]: { ...limits[kind], maxPerSandbox: most } });
	const tested = createTestService({ adminKey: 'the admin key', store: createMemoryStore<Records>(limits) });
	const at = await tested.sandbox();
	return { tested, at, attacker: at.from('10.6.6.6'), honest: at.from('10.0.0.7') };
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

describe('RM-05 RL-05 one address that floods a shared sandbox pushes out its own records, not those of others:', () => {
	it('access tokens by refreshing', async () => {
		const { at, attacker, honest } = await sharedSandbox();
		const { access_token } = await honest.user().tokens();
		const { refresh_token } = await attacker.user('player-three').offline();
		await repeat(most * 3, async () => expect((await attacker.refresh(refresh_token)).status).toBe(200));
		expect((await limitsOf(honest, access_token)).status).toBe(200);
		expect((await at.controlled('GET', 'credentials')).text).toContain('"username":"player-one"');
	});

	it('codes, families and access tokens by signing in', async () => {
		const { attacker, honest } = await sharedSandbox();
		const { access_token } = await honest.user().tokens();
		const code = await honest.user().code();
		const flood = attacker.user('player-three');
		await repeat(most * 2, () => flood.tokens());
		await repeat(most * 2, () => flood.code());
		expect((await limitsOf(honest, access_token)).status).toBe(200);
		expect((await honest.exchange(code)).status).toBe(200);
	});

	it('pending sign-ins', async () => {
		const { attacker, honest } = await sharedSandbox();
		const user = honest.user();
		const page = await user.authorize();
		await repeat(most * 2, (count) =>
			attacker.user().authorize(undefined, { state: 'x'.repeat(count % 2 ? 4000 : 1) })
		);
		expect((await user.signInOn(page)).text).toContain('value="approve"');
	});

	it('sessions', async () => {
		const { attacker, honest } = await sharedSandbox();
		const user = honest.user();
		await user.signIn();
		await repeat(most * 2, () => attacker.user('player-three').signIn());
		expect((await user.open('/account')).text).toContain('Signed in as');
	});

	it('windows and the blacklist, by virtual addresses', async () => {
		const { at, attacker, honest } = await sharedSandbox();
		await at.changeSettings({ limits: { ratelimits: 0, character: 5, blacklist_after_refused: 1 } });
		const { access_token } = await honest.user().tokens();
		for (const called of [1, 2]) expect((await honest.character(access_token)).limit.remaining).toBe(5 - called);
		const blocked = honest.user();
		await limitsOf(at.from('10.0.0.9'), access_token);
		await repeat(most * 2, async (count) => {
			await attacker.character(access_token, 'Mara Vell', ...virtual(count));
			await limitsOf(attacker, access_token, ...virtual(count));
		});
		expect((await honest.character(access_token)).limit.remaining, 'its window is still there').toBe(2);
		const { text } = await at.controlled('GET', 'blacklist');
		expect(text).toContain('"address":"10.0.0.9"');
		expect(text).not.toContain('10.6.6.6');
		expect((await blocked.signIn()).status).toBe(303);
	});

	it('open tickets', async () => {
		const { at, honest } = await sharedSandbox();
		expect(await file(honest)).toBe(201);
		await repeat(10, async (count) => {
			const many = at.from(`10.6.6.${count}`);
			await repeat(5, () => file(many));
		});
		expect(await file(at.from('10.0.0.8'))).toBe(201);
		const { text } = await at.controlled('GET', 'tickets');
		for (const address of ['10.0.0.7', '10.0.0.8']) expect(text).toContain(`"address":"${address}"`);
	});
});

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
	const refused = await at.refresh(refresh_token);
	expect([refused.status, refused.error, refused.header('retry-after')]).toEqual([429, 'too_many_attempts', '300']);
	expect(refused.text).toContain('Your address got 5 access tokens within five minutes.');
	expect((await at.exchange(code)).status).toBe(429);
	const elsewhere = await second.from('10.0.0.8').user().tokens();
	expect((await limitsOf(second, elsewhere.access_token)).status, 'another address').toBe(200);
	tested.clock += 300_000;
	expect((await at.exchange(code)).status, 'it was not used').toBe(200);
	expect((await at.refresh(refresh_token)).status).toBe(200);
});

it('RM-05 a snapshot names no owners of its records', async () => {
	const { at, attacker } = await sharedSandbox();
	await attacker.user().offline();
	const { text } = await at.controlled('GET', 'snapshot');
	expect(text).not.toContain('createdBy');
	expect((await at.control('PUT', 'snapshot', JSON.parse(text))).status).toBe(200);
});
