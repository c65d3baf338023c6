import 'fake-indexeddb/auto';
import { hash, scryptSync } from 'node:crypto';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { promisifyRequest } from 'idb-keyval';
import { Database } from '#hosts/browser/database.ts';
import { KeptTraffic } from '#hosts/browser/traffic.ts';
import { createWebService } from '#hosts/web-service.ts';
import { recordLimits } from '#service/record-limits.ts';
import type { Records } from '#service/records.ts';
import type { LazyTrafficEntry, TrafficEntry } from '#service/traffic/traffic-log.ts';
import { createIndexedDbStore, type Transact } from '#store/indexed-db.ts';
import { directTransport } from '../../conformance/hosts/direct.ts';
import { Sandbox } from '../../conformance/sandbox.ts';

const origin = 'http://localhost:4173/demo';

/** Which transactions were opened, and what the service borrowed while one was open. */
type Watched = { readonly opened: string[]; readonly borrowed: string[] };
let named = 0;
let watched: Watched;

beforeEach(() => {
	watched = { opened: [], borrowed: [] };
});

/** A sandbox over a database of its own, whose transactions are watched. */
function kept(): Promise<Sandbox> {
	const { transact } = new Database(`database ${named++}`);
	let open = 0;
	const watching: Transact = (mode, durable, work) =>
		transact(mode, durable, async (objects) => {
			watched.opened.push(`${mode} ${objects.transaction.durability}`);
			open++;
			try {
				return await work(objects);
			} finally {
				open--;
			}
		});
	const note = (what: string) => {
		if (open > 0) watched.borrowed.push(what);
	};
	const service = createWebService({
		origin,
		store: createIndexedDbStore<Records>(recordLimits, watching),
		report: (fault) => expect.fail(String(fault)),
		digest(text) {
			note('a digest');
			return hash('sha256', text, 'base64url');
		},
		async scrypt(password, salt) {
			note('a password hash');
			return new Uint8Array(scryptSync(password, salt, 32, { N: 2 }));
		},
		async sleep() {
			note('a wait');
		}
	});
	return Sandbox.create(directTransport(service, origin));
}

it('BR-05 nothing is hashed or waited for while a transaction is open: it would end under that', async () => {
	const at = await kept();
	const person = at.user();
	const { access_token, refresh_token } = await person.offline();
	await at.controlled('POST', 'faults', { endpoint: 'character', kind: 'delay', delay_ms: 1 });
	expect((await at.character(access_token)).status).toBe(200);
	expect((await at.refresh(refresh_token)).status).toBe(200);
	expect((await at.refresh(refresh_token, { ...at.viewer, client_secret: 'wrong' })).status).toBe(401);
	expect((await at.user('player-two').signIn('wrong')).status).toBe(403);
	await at.controlled('POST', 'accounts', { username: 'guest', password: 'x' });
	await at.controlled('PUT', 'snapshot', (await at.controlled('GET', 'snapshot')).json());
	await at.register('web', ['https://client.test/callback']);
	expect((await at.revoke(refresh_token)).status).toBe(200);
	await at.controlled('POST', 'reset');
	expect(watched.opened.length).toBeGreaterThan(50);
	expect(watched.borrowed).toEqual([]);
});

it('BR-06 what was used or revoked is on the disk before the answer, what can be had again need not be', async () => {
	const at = await kept();
	const code = await at.user().code(at.viewer, { access_type: 'offline' });
	const during = async (act: () => Promise<unknown>) => {
		watched.opened.length = 0;
		await act();
		return watched.opened.filter((one) => one === 'readwrite strict').length;
	};
	let refresh_token = '';
	let access_token = '';
	const redeeming = await during(async () => {
		const { tokens } = await at.exchange(code);
		refresh_token = tokens.refresh_token ?? '';
		access_token = tokens.access_token;
	});
	expect(redeeming).toBeGreaterThan(0);
	expect(await during(() => at.character(access_token))).toBe(0);
	expect(await during(() => at.revoke(refresh_token))).toBeGreaterThan(0);
	expect((await at.refresh(refresh_token)).error).toBe('invalid_grant');
});

it('what is read one after the other is read in one transaction, and never what a write has changed since', async () => {
	const opened = vi.spyOn(IDBDatabase.prototype, 'transaction');
	onTestFinished(() => opened.mockRestore());
	type Numbers = { number: { readonly value: number } };
	const { transact } = new Database(`database ${named++}`);
	const store = createIndexedDbStore<Numbers>({ number: { maxPerSandbox: 10, clock: 'real' } }, transact);
	const area = store.forSandbox('root', { real: () => 0, sandbox: () => 0 });
	for (let value = 1; value <= 3; value++) {
		await area.update('number', 'n', () => ({ value }));
		opened.mockClear();
		for (let time = 0; time < 5; time++) expect(await area.get('number', 'n')).toEqual({ value });
		expect(opened).toHaveBeenCalledTimes(1);
	}
	const [early, , late] = await Promise.all([
		area.get('number', 'n'),
		area.update('number', 'n', () => ({ value: 4 })),
		area.get('number', 'n')
	]);
	expect([early?.value, late?.value]).toEqual([3, 4]);
	await new Promise((resolve) => setTimeout(resolve));
	expect(await area.get('number', 'n'), 'in a transaction of its own, the other having ended').toEqual({ value: 4 });
});

it('BR-06 a disk without room is told in words, and what was there goes on', async () => {
	const at = await kept();
	const { access_token } = await at.user().tokens();
	const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
		throw new DOMException('no room', 'QuotaExceededError');
	});
	onTestFinished(() => put.mockRestore());
	const refused = await at.control('POST', 'applications', { name: 'x', kind: 'installed' });
	expect([refused.status, refused.error]).toEqual([409, 'limit_reached']);
	const call = await at.character(access_token);
	expect([call.status, call.error]).toEqual([503, 'temporarily_unavailable']);
	put.mockRestore();
	expect((await at.character(access_token)).status).toBe(200);
	await at.register('installed');
});

it('RM-07 what a call under way still logs after its sandbox was deleted is not kept', async () => {
	const room = new Database('late entries').room('traffic');
	const channel = new BroadcastChannel('late entries');
	onTestFinished(() => channel.close());
	const traffic = new KeptTraffic(room, channel);
	const log = traffic.of('gone');
	const draft = (id: string): LazyTrafficEntry => ({ size: 1, entry: (seq) => ({ ...anEntry, seq, id }) });
	log.append(draft('early'));
	await traffic.settled();
	expect((await log.find('early'))?.seq).toBe(1);
	await traffic.drop('gone');
	log.append(draft('late'));
	await traffic.settled();
	expect(await room('readonly', (objects) => promisifyRequest(objects.getAllKeys()))).toEqual([]);
});

const anEntry: TrafficEntry = {
	...{ seq: 0, id: '', at: 0, duration: 0, endpoint: 'token', address: '', trace: [], response: null },
	request: { method: 'GET', target: '/', headers: [], body: '' }
};
