import 'fake-indexeddb/auto';
import { expect, it, vi } from 'vitest';
import { openStorage } from '#hosts/browser/storage.ts';
import { rootSandbox } from '#service/core/target.ts';
import { draftOf } from '../../service/traffic-log-contract.ts';

const limits = () => ({ entries: 500, characters: 100_000 });

const clocks = { real: () => Date.now(), sandbox: () => Date.now() };
const ticket = { address: '', result: '', reason: '', resolution: '', state: 'open', created_at: 0 } as const;

it('a restart loses no record, no cookie, no log entry and no number of the log', async () => {
	const first = await openStorage('restart', vi.fn());
	const records = first.store.forSandbox('mine', clocks);
	await records.update('ticket', 'b', () => ticket);
	await records.update('ticket', 'a', () => ticket);
	first.cookies.store(['Set-Cookie', 'session=1; Path=/; Secure', 'Set-Cookie', 'owner=2; Path=/']);
	first.cookies.store(['set-cookie', 'owner=; Path=/; Max-Age=0']);
	const log = first.traffic('mine', limits);
	for (const id of ['a', 'b']) void log.append(draftOf(id));
	await log.clear();
	await first.flush();

	const second = await openStorage('restart', vi.fn());
	expect(await second.store.sandboxes()).toEqual(['mine']);
	expect((await second.store.forSandbox('mine', clocks).list('ticket')).map(([id]) => id)).toEqual(['b', 'a']);
	expect(second.cookies.header).toEqual(['Cookie', 'session=1']);
	const continued = second.traffic('mine', limits);
	expect(await continued.after(0, 10)).toEqual([]);
	void continued.append(draftOf('c'));
	await second.flush();

	const third = await openStorage('restart', vi.fn());
	expect((await third.traffic('mine', limits).after(0, 10)).map(({ id, seq }) => [id, seq])).toEqual([['c', 3]]);
	expect(third.status()).toEqual({ storage: 'stored' });
});

it('RM-07 nothing is left of a deleted sandbox, also of a request that was in progress', async () => {
	const first = await openStorage('deletion', vi.fn());
	await first.store.forSandbox('gone', clocks).update('ticket', 'a', () => ticket);
	void first.traffic('gone', limits).append(draftOf('a'));
	await first.flush();
	await first.store.drop('gone');
	void first.traffic('gone', limits).append(draftOf('late'));
	await first.flush();
	await (await openStorage('deletion', vi.fn())).flush();
	const third = await openStorage('deletion', vi.fn());
	expect(await third.store.sandboxes()).toEqual([]);
	expect(await third.traffic('gone', limits).after(0, 10)).toEqual([]);
});

it('BR-06 without IndexedDB the data is in memory, and the status says so', async () => {
	vi.stubGlobal('indexedDB', undefined);
	const storage = await openStorage('none', vi.fn());
	vi.unstubAllGlobals();
	const records = storage.store.forSandbox(rootSandbox, clocks);
	await records.update('ticket', 'a', () => ticket);
	await storage.flush();
	expect(await records.get('ticket', 'a')).toEqual(ticket);
	expect(storage.status()).toMatchObject({ storage: 'memory', problem: expect.stringContaining('Data is lost') });
});
