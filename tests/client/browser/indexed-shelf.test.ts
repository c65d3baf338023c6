import 'fake-indexeddb/auto';
import { createStore, get, set } from 'idb-keyval';
import { expect, test } from 'vitest';
import { IndexedShelf } from '#client/browser/indexed-shelf.ts';
import { keptFor, type Kept } from '#client/shelf.ts';
import { characterCall, Workbench } from '../workbench.ts';

const keys = [
	'sessions',
	'flows',
	'credentials',
	'offsets',
	'steps',
	'switches',
	'choices',
	'watches',
	'meters'
] as const satisfies readonly (keyof Kept)[];

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
	await client.watchList.add(session.id, 'Mara Vell', bench.time);
	await client.memory.remember();
	await expect.poll(() => get('meters', store)).toBeDefined();
	for (const key of keys) expect(await shelf.read(key), key).toEqual(await get(key, store));
	const later = tab('tab-1');
	await later.recall();
	expect(await later.sessions.list()).toEqual([session]);
	expect(later.ledger.meters).toEqual(client.ledger.meters);
	expect(later.journal.steps.length).toBeGreaterThan(5);
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
	expect(client.ledger.meters).toEqual([]);
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
