import * as v from 'valibot';
import { expect, it } from 'vitest';
import { defaultAttempts, type AttemptLimits } from '#service/core/quotas.ts';
import { createMemoryStore } from '#store/memory.ts';
import type { SandboxStore } from '#store/store.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import { rootSandbox } from '#service/core/target.ts';
import { createTestService } from '../test-service.ts';

const clocks = { sandbox: () => 0, real: () => 0 };

/** A service whose sandboxes count the attempts of few targets. */
function fewCounters(maxPerSandbox: number, attempts: Partial<AttemptLimits>) {
	const failed_attempts = { ...recordLimits.failed_attempts, maxPerSandbox };
	return createTestService({
		store: createMemoryStore<Records>({ ...recordLimits, failed_attempts }),
		quotas: { attempts: { ...defaultAttempts, ...attempts } }
	});
}

it('RM-05 a sandbox holds so many applications and accounts, and then says so', async () => {
	const tested = createTestService();
	const [at, other] = [await tested.sandbox(), await tested.sandbox()];
	const applications: number[] = [];
	for (let count = 0; count < 49; count++) {
		const json = { name: 'x', kind: 'installed' };
		applications.push((await at.control('POST', 'applications', json)).status);
	}
	expect(applications.indexOf(409)).toBe(48);
	const accounts: number[] = [];
	for (let count = 0; count < 98; count++) {
		const json = { username: `guest-${count}`, password: 'x' };
		accounts.push((await at.control('POST', 'accounts', json)).status);
	}
	expect(accounts.indexOf(409)).toBe(97);
	expect((await at.user().tokens()).scope, 'the rest goes on').toBe('character_read');
	expect((await other.control('POST', 'accounts', { username: 'a', password: 'x' })).status).toBe(201);
	expect(tested.faults).toEqual([]);
});

it('RM-05 abandoned sign-ins are evicted by new ones, and deleted once they have expired', async () => {
	const pending_authorization = { ...recordLimits.pending_authorization, maxPerSandbox: 20 };
	const tested = createTestService({ store: createMemoryStore<Records>({ ...recordLimits, pending_authorization }) });
	const at = await tested.sandbox();
	const { client_id, redirect_uri } = at.viewer;
	const uri = encodeURIComponent(redirect_uri);
	const request = `/ws/oauth2/auth/?response_type=code&client_id=${client_id}&redirect_uri=${uri}&scope=character_read`;
	const store = tested.store.forSandbox(at.id, clocks);
	const count = async () => (await store.list('pending_authorization')).length;
	for (let sent = 0; sent < 30; sent++) await at.get(request);
	expect(await count()).toBe(20);
	await at.get(`${request}&state=${'x'.repeat(4096)}`);
	expect(await count(), 'a long state counts more').toBeLessThan(14);
	expect((await at.user().tokens()).scope).toBe('character_read');
	tested.clock += 15 * 60 * 1000;
	await tested.service.purge();
	expect(await count()).toBe(0);
});

it('RM-05 one address creates 60 sandboxes in five minutes; with the admin key more', async () => {
	const tested = createTestService({ adminKey: 'the admin key', quotas: { sandboxesPerAddress: 1000 } });
	const create = async (...headers: string[]) =>
		(await tested.transport.send({ method: 'POST', target: '/control/sandboxes', headers }))?.status;
	for (let count = 0; count < 60; count++) expect(await create()).toBe(201);
	expect(await create()).toBe(429);
	expect(await create('X-Tollgate-Key', 'the admin key')).toBe(201);
	tested.clock += 300_000;
	expect(await create()).toBe(201);
});

it('RM-03 only the admin key controls the root sandbox; clients that guess get 429', async () => {
	const tested = createTestService({ adminKey: 'the admin key' });
	const read = (...headers: string[]) => tested.transport.send({ target: '/control/traffic', headers });
	expect((await read())?.status).toBe(403);
	expect((await read('X-Tollgate-Key', 'the admin keys'))?.status).toBe(403);
	expect((await read('X-Tollgate-Key', 'the admin key'))?.status).toBe(200);
	const at = await tested.sandbox();
	expect((await at.get('/control/clock', 'X-Tollgate-Key', 'the admin key')).status, 'and every other').toBe(200);
	for (let guess = 0; guess < 999; guess++) await read('X-Tollgate-Key', `guess ${guess}`);
	expect((await read('X-Tollgate-Key', 'another guess'))?.status).toBe(429);
	expect((await read('X-Tollgate-Key', 'the admin key'))?.status, 'a correct key is always accepted').toBe(200);
	expect((await at.get('/control/clock', 'X-Tollgate-Key', at.key)).status, 'of no sandbox').toBe(200);
	tested.clock += 300_000;
	expect((await read('X-Tollgate-Key', 'another guess'))?.status).toBe(403);
});

it('RL-10 wrong secrets and tokens, however many, keep no right one of the same address out', async () => {
	const tested = createTestService({ quotas: { attempts: { ...defaultAttempts, client: 50 } } });
	const at = await tested.sandbox();
	const { refresh_token } = await at.user().offline();
	const wrong = { ...at.viewer, client_secret: 'wrong' };
	const statuses: number[] = [];
	for (let guess = 0; guess < 51; guess++) statuses.push((await at.refresh('unknown', wrong)).status);
	expect(statuses.indexOf(429)).toBe(50);
	expect((await at.revoke('unknown')).status, 'one count for both endpoints').toBe(429);
	expect((await at.refresh(refresh_token)).status).toBe(200);
	expect((await at.revoke(refresh_token)).status).toBe(200);
});

it('RM-05 limits the delayed responses of a sandbox and rejects further requests', async () => {
	const waits: (() => void)[] = [];
	const tested = createTestService({ sleep: () => new Promise<void>((resolve) => waits.push(resolve)) });
	const [at, other] = [await tested.sandbox(), await tested.sandbox()];
	await at.controlled('POST', 'faults', { endpoint: 'ratelimits', kind: 'delay', delay_ms: 30_000, times: 1000 });
	const held = Array.from({ length: 100 }, () => at.get('/ws/v2.0/ratelimits'));
	await expect.poll(() => waits.length).toBe(100);
	const rejected = await at.get('/ws/v2.0/ratelimits');
	expect([rejected.status, rejected.error]).toEqual([503, 'temporarily_unavailable']);
	expect((await other.get('/ws/v2.0/ratelimits')).status, 'another sandbox').toBe(401);
	waits.splice(0).forEach((pass) => pass());
	expect(new Set((await Promise.all(held)).map(({ status }) => status))).toEqual(new Set([401]));
	const late = at.get('/ws/v2.0/ratelimits');
	await expect.poll(() => waits.length).toBe(1);
	waits.forEach((pass) => pass());
	expect((await late).status, 'room again').toBe(401);
});

it('RM-02 a client that guesses sandbox ids gets 429; existing sandboxes still respond', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const guess = async (id: string, from: string) => {
		const received = await tested.transport.send({ target: `/~${id}/ws/v2.0/ratelimits`, from });
		return received?.status;
	};
	const statuses = await Promise.all(Array.from({ length: 400 }, (_, count) => guess(`guess-${count}`, '10.0.0.1')));
	expect(statuses.filter((status) => status === 404)).toHaveLength(300);
	expect(statuses.filter((status) => status === 429)).toHaveLength(100);
	expect(await guess('another', '10.0.0.2'), 'from elsewhere').toBe(404);
	expect((await at.from('10.0.0.1').get('/ratelimiting')).status, 'a room is not locked out').toBe(200);
	tested.clock += 300_000;
	expect(await guess('later', '10.0.0.1')).toBe(404);
});

it('RM-03 rejected calls of the control API are in the log, without the keys that were tried; granted ones are not', async () => {
	const tested = createTestService({ adminKey: 'the admin key' });
	const at = await tested.sandbox();
	await at.get('/control/settings', 'X-Tollgate-Key', 'a wrong guess');
	await at.get('/control/settings', 'Cookie', '__Host-tollgate-owner=another-guess');
	await at.controlled('GET', 'settings');
	await at.control('POST', 'clock', { advance: -1 });
	const log = await at.traffic();
	expect(log.match(/"endpoint":"control"/g)).toHaveLength(2);
	expect(log).toContain('"address":"127.0.0.1"');
	expect(log).toContain('This request needs the key of the sandbox');
	for (const secret of ['a wrong guess', 'another-guess', at.key]) expect(log).not.toContain(secret);
});

it('RM-07 a sandbox that is not used for a day is deleted with all its records', async () => {
	const tested = createTestService();
	const [idle, used] = [await tested.sandbox(), await tested.sandbox()];
	await idle.user().offline();
	for (let hour = 0; hour < 25; hour++) {
		tested.clock += 3_600_000;
		await used.get('/ratelimiting');
		await tested.service.purge();
	}
	expect((await idle.get('/ratelimiting')).status).toBe(404);
	expect((await used.get('/ratelimiting')).status).toBe(200);
	const area = tested.store.forSandbox(idle.id, clocks);
	for (const kind of ['application', 'account', 'grant', 'refresh_token', 'state'] as const) {
		expect(await area.list(kind), kind).toEqual([]);
	}
	expect((await tested.store.forSandbox(rootSandbox, clocks).list('sandbox')).map(([id]) => id)).toEqual([used.id]);
});

it('HT-14 a failing store causes a 500 in the format of the API, and the reason is reported, not sent', async () => {
	const store = createMemoryStore(recordLimits);
	let isBroken = false;
	const tested = createTestService({
		store: {
			...store,
			forSandbox(sandbox, clocks) {
				const area = store.forSandbox(sandbox, clocks);
				const broken: SandboxStore<Records> = {
					begin: () => broken,
					get: (kind, id) =>
						isBroken && kind === 'access_token' ? Promise.reject(new Error('secret detail')) : area.get(kind, id),
					update: (kind, id, change) => area.update(kind, id, change),
					delete: (kind, id) => area.delete(kind, id),
					list: (kind) => area.list(kind),
					lowest: (kind, field, above, most) => area.lowest(kind, field, above, most),
					count: () => area.count(),
					replace: (contents) => area.replace(contents),
					purge: () => area.purge()
				};
				return broken;
			}
		}
	});
	const at = await tested.sandbox();
	const { access_token } = await at.user().tokens();
	isBroken = true;
	const response = await at.character(access_token, 'Mara Vell', 'Accept', 'application/xml');
	expect([response.status, response.limit.remaining]).toEqual([500, 599]);
	expect(response.text).toMatch(/<error>server_error<\/error>.*request [\w-]+\./);
	expect(response.text).not.toContain('secret detail');
	expect(tested.faults).toHaveLength(1);
	isBroken = false;
	expect((await at.character(access_token)).status).toBe(200);
});

it('RM-05 SC-11 made-up client ids take no room from the guesses that are counted', async () => {
	const tested = fewCounters(20, { client: 50 });
	const at = await tested.sandbox();
	for (let count = 0; count < 60; count++) {
		const client_id = `unknown-${Math.floor(count / 2)}`;
		const response = await at.token({ grant_type: 'refresh_token', client_id, client_secret: 'x' });
		expect([count, response.status]).toEqual([count, count < 50 ? 401 : 429]);
	}
	expect((await at.from('10.0.0.9').user().signIn()).status).toBe(303);
	expect((await at.token({ grant_type: 'x', ...at.viewer })).error).toBe('unsupported_grant_type');
});

it('RM-05 SC-11 unknown user names at the sign-in do not evict the counters of other guesses', async () => {
	const tested = fewCounters(10, { address: 22 });
	const at = await tested.sandbox();
	const flood = at.from('10.6.6.6').user();
	const csrf_token = (await flood.open('/account')).hidden('csrf_token');
	for (let count = 0; count < 66; count++) {
		const username = `unknown-${Math.floor(count / 11)}`;
		await flood.post('/account', { csrf_token, action: 'sign-in', username, password: 'x' });
	}
	const guesser = at.from('10.0.0.9').user();
	const statuses: number[] = [];
	for (let guess = 0; guess < 12; guess++) statuses.push((await guesser.signIn(`guess ${guess}`)).status);
	expect(statuses).toEqual([...Array<number>(10).fill(403), 429, 429]);
	expect((await at.from('10.0.0.8').user().signIn()).status, 'others sign in').toBe(303);
});

it('RM-05 one address on a public server evicts no sign-in of another address from the root sandbox', async () => {
	const tested = createTestService({ adminKey: 'the admin key' });
	const { transport, options } = tested;
	const redirect_uri = encodeURIComponent(`${options.origin}/viewer/callback`);
	const query = `response_type=code&client_id=character-viewer&redirect_uri=${redirect_uri}&scope=character_read`;
	const start = async (from: string, state = 'x'.repeat(4000)) =>
		(await transport.send({ target: `/ws/oauth2/auth/?${query}&state=${state}`, from }))?.status;
	const statuses: unknown[] = [];
	for (let count = 0; count < 260; count++) statuses.push(await start('10.6.6.6'));
	expect(statuses.indexOf(429), 'each counts as 8').toBe(250);
	expect(await start('10.0.0.7')).toBe(200);
	tested.clock += 300_000;
	expect(await start('10.6.6.6')).toBe(200);
});

it('RM-05 new tickets evict decided ones, and no open one', async () => {
	const ticket = { ...recordLimits.ticket, maxPerSandbox: 3 };
	const tested = createTestService({ store: createMemoryStore<Records>({ ...recordLimits, ticket }) });
	const at = await tested.sandbox();
	const file = async (from: number) => {
		const body = { reason: 'b', resolution: 'c' };
		return (await at.from(`10.0.0.${from}`).control('POST', 'tickets', body)).status;
	};
	const tickets = async () => (await at.controlled('GET', 'tickets')).as(ticketList).tickets;
	for (let from = 1; from <= 3; from++) expect(await file(from)).toBe(201);
	const [first, second, third] = await tickets();
	expect(await file(4), 'all are open').toBe(409);
	await at.controlled('POST', `tickets/${second?.id ?? ''}`, { decision: 'reject' });
	expect(await file(4)).toBe(201);
	expect((await tickets()).map(({ id }) => id).slice(0, 2), 'the one that has waited longest is first').toEqual([
		first?.id,
		third?.id
	]);
	expect((await tickets()).map(({ address }) => address)).toEqual(['10.0.0.1', '10.0.0.3', '10.0.0.4']);
	const rest = (await at.controlled('GET', `tickets?after=${first?.id ?? ''}`)).as(ticketList).tickets;
	expect(rest.map(({ address }) => address)).toEqual(['10.0.0.3', '10.0.0.4']);
});

it('RS-03 the trace of an unknown access token names the number of tokens that a sandbox keeps', async () => {
	const access_token = { ...recordLimits.access_token, maxPerSandbox: 5 };
	const tested = createTestService({ store: createMemoryStore<Records>({ ...recordLimits, access_token }) });
	const at = await tested.sandbox();
	const { access_token: oldest, refresh_token } = await at.user().offline();
	for (let count = 0; count < 5; count++) await at.refresh(refresh_token);
	const response = await at.character(oldest);
	expect(response.error).toBe('invalid_token');
	const line = (await at.logged(response)).trace.find(({ outcome }) => outcome === 'failed');
	expect(line?.detail).toContain('this sandbox keeps 5000 access tokens');
});

const ticketList = v.object({ tickets: v.array(v.object({ id: v.string(), address: v.string() })) });

it('RL-07 a correct password resets the counters of the address, of the account and of both', async () => {
	const tested = createTestService();
	const at = await tested.sandbox();
	const counters = async () => (await tested.store.forSandbox(at.id, clocks).list('failed_attempts')).length;
	const user = at.user();
	for (let attempt = 0; attempt < 3; attempt++) await user.signIn('wrong');
	expect(await counters()).toBe(3);
	await user.signIn();
	expect(await counters()).toBe(0);
});
