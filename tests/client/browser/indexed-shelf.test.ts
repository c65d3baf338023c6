import 'fake-indexeddb/auto';
import { createStore, get, set } from 'idb-keyval';
import { expect, test } from 'vitest';
import { IndexedShelf } from '#client/browser/indexed-shelf.ts';
import type { Things } from '#client/desk.ts';
import { keptFor, type Kept } from '#client/shelf.ts';
import { characterCall, Workbench } from '../workbench.ts';

const keys = [
	'sessions',
	'flows',
	'credentials',
	'offsets',
	'switches',
	'choices',
	'desks',
	'watches',
	'meters',
	'silences'
] as const satisfies readonly (keyof Kept)[];

const record = { pattern: '/ws/v2.0/character/*', limit: 600, remaining: 7, reset: 1_800_000_000_000, reset_time: '' };

/** A desk with something of each kind on it. */
function things(session: string): Things {
	const scope = ['character_read'];
	const answer = { status: 200, format: 'json', text: '{"name":"Mara Vell"}', requestId: 'r-1', scope, at: 1 } as const;
	return {
		look: { session, name: 'Mara Vell', answer },
		wishes: { scope, access_type: 'offline', renew: true, pkce: false },
		limits: { records: [record], asked: 2 }
	};
}

let made = 0;

function browser() {
	made += 1;
	const store = createStore(`browser ${String(made)}`, 'kept');
	const bench = new Workbench();
	const tab = (name: string) => bench.tab(name, { shelf: new IndexedShelf(store) });
	return { store, bench, tab, shelf: new IndexedShelf(store) };
}

test('everything that the client writes is read again as it was', async () => {
	const { bench, tab, shelf, store } = browser();
	const client = tab('tab-1');
	const session = await bench.signIn(client);
	await client.resources.call(characterCall(session.id));
	await client.setCredentials({ client_id: 'mine', client_secret: 'own' });
	await client.switches.change({ tokenFormat: 'xml' });
	await client.choices.keep(session.id);
	await client.desk.put(things(session.id));
	await client.watchList.add(session.id, 'Mara Vell', bench.time);
	await client.memory.rememberClock();
	await expect.poll(() => get('meters', store)).toBeDefined();
	bench.service.standing = { state: 'blacklisted', reason: '100 refused calls' };
	client.breaker.silent();
	client.breaker.silent();
	await client.breaker.probe();
	await expect.poll(async () => (await shelf.read('silences'))?.[client.endpoints.base_url]?.standing).toBeTruthy();
	for (const key of keys) expect(await shelf.read(key), key).toEqual(await get(key, store));
	const later = tab('tab-1');
	await later.recall();
	expect(await later.sessions.list()).toEqual([session]);
	expect(later.ledger.meters).toEqual(client.ledger.meters);
	expect(later.desk.now).toMatchObject(things(session.id));
	expect(later.breaker.standing).toEqual(client.breaker.standing);
});

test.each([
	['nothing', null],
	['a text', 'none'],
	['a number', 7],
	['a list of other things', [null, 3, { id: 1 }, { tab: 'tab-1', service: 'https://service.example' }]],
	['other things by service', { 'https://service.example': { throttle: 'no', entries: 'none', 0: null } }],
	['lists by service', { 'https://service.example': [{ pattern: '/ws/v2.0/character/*', limit: 0 }] }]
])('storage that holds %s does not break the page: it begins anew, and works', async (_, damage) => {
	const { bench, tab, store } = browser();
	for (const key of keys) await set(key, damage, store);
	const client = tab('tab-1');
	await client.recall();
	expect(await client.sessions.list()).toEqual([]);
	expect(client.switches.now).toMatchObject({ throttle: true, format: 'json' });
	expect(client.watchList.now).toEqual({ entries: [], away: null });
	expect(client.desk.now).toEqual({ look: null, wishes: null, limits: null });
	expect(client.ledger.meters).toEqual([]);
	expect(client.breaker.isOpen).toBe(false);
	const session = await bench.signIn(client);
	await client.resources.call(characterCall(session.id));
	await client.switches.change({ throttle: false });
	await client.choices.keep(session.id);
	const later = tab('tab-1');
	await later.recall();
	expect(later.switches.now).toMatchObject({ throttle: false, cache: true });
	expect(await later.choices.last()).toBe(session.id);
	expect(await later.sessions.list()).toHaveLength(1);
});

test('one damaged entry takes no other with it', async () => {
	const { bench, tab, store } = browser();
	const session = await bench.signIn(tab('tab-1'));
	await set('sessions', [{ ...session, expires: 'soon' }, session, undefined], store);
	await set('offsets', { 'https://a.example': 5, 'https://b.example': 'late' }, store);
	expect(await tab('tab-2').sessions.list()).toEqual([session]);
	expect(await new IndexedShelf(store).read('offsets')).toEqual({ 'https://a.example': 5 });
});

test.each([
	['the answer', { look: { session: 's', name: 'Mara Vell', answer: { status: 'fine' } } }],
	['the choices', { wishes: { scope: 'all', access_type: 'online', renew: false, pkce: true } }],
	['the table', { limits: { records: [{ ...record, reset: 1e300 }], asked: 1 } }]
])('where %s on the desk is damaged, the rest of it is not', async (_, damage) => {
	const { tab, store } = browser();
	const mine = { tab: 'tab-1', service: 'https://service.example', ...things('s'), ...damage };
	await set('desks', [mine], store);
	const client = tab('tab-1');
	await client.recall();
	const { look, wishes, limits } = client.desk.now;
	expect(look?.name).toBe('Mara Vell');
	expect([look?.answer, wishes, limits].filter((thing) => thing === null)).toHaveLength(1);
});

test('a kept permission that there is no box for is not asked for', async () => {
	const { tab, store } = browser();
	const wishes = { scope: ['gold_read', 'credits_read'], access_type: 'online', renew: false, pkce: true };
	await set('desks', [{ tab: 'tab-1', service: 'https://service.example', ...things('s'), wishes }], store);
	const client = tab('tab-1');
	await client.recall();
	expect(client.desk.now.wishes?.scope).toEqual(['credits_read']);
});

test('a switch that this version does not know is no reason to forget the others', async () => {
	const { tab, store } = browser();
	await set('switches', { 'https://service.example': { format: 'xml', gravity: 'low' } }, store);
	const client = tab('tab-1');
	await client.recall();
	expect(client.switches.now).toMatchObject({ format: 'xml', throttle: true });
	expect(client.switches.now).not.toHaveProperty('gravity');
});

test('whoever visits many services does not fill the storage', () => {
	let all: Readonly<Record<string, number>> = {};
	for (let visit = 0; visit < 30; visit += 1) all = keptFor(all, `https://s.example/~${String(visit % 25)}`, visit);
	expect(Object.keys(all)).toHaveLength(20);
	expect(Object.values(all)).toEqual(Array.from({ length: 20 }, (_, at) => at + 10));
});
