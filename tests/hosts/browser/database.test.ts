import 'fake-indexeddb/auto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { EntryDatabase, type DatabaseEvents } from '#hosts/browser/database.ts';

type Sample = { number: number };
let opened = 0;

function nextName(): string {
	return `database ${String(++opened)}`;
}

async function open(name: string, events: Partial<DatabaseEvents> = {}) {
	const { database, entries } = await EntryDatabase.open<Sample>(name, {
		onClosed: vi.fn(),
		onFailed: vi.fn(),
		...events
	});
	return { database, ids: entries.map(({ id }) => id).join('') };
}

it('reads entries in the order in which they were first written', async () => {
	const name = nextName();
	const { database } = await open(name);
	for (const id of ['c', 'a', 'b', 'x']) database.set('root', 'number', id, 1);
	await database.flush();
	database.set('root', 'number', 'c', 2);
	database.set('root', 'number', 'a', undefined);
	database.set('root', 'number', 'x', undefined);
	database.set('root', 'number', 'x', 3);
	await database.flush();
	const again = await open(name);
	expect(again.ids).toBe('cbx');
	again.database.set('root', 'number', 'd', 1);
	await again.database.flush();
	expect((await open(name)).ids).toBe('cbxd');
});

it('BR-05 BR-06 writes a batch in one transaction, on the disk if a change is durable', async () => {
	const transactions = vi.spyOn(IDBDatabase.prototype, 'transaction');
	onTestFinished(() => transactions.mockRestore());
	const { database } = await open(nextName());
	const durabilityOf = async (...durable: boolean[]) => {
		transactions.mockClear();
		for (const [at, isDurable] of durable.entries()) database.set('root', 'number', String(at), at, isDurable);
		await Promise.all([database.flush(), database.flush()]);
		return transactions.mock.calls.map(([, , options]) => options?.durability);
	};
	expect(await durabilityOf(false, false)).toEqual(['relaxed']);
	expect(await durabilityOf(false, true, false)).toEqual(['strict']);
	expect(await durabilityOf()).toEqual([]);
});

it('a flush waits for the changes of a flush before it', async () => {
	const name = nextName();
	const { database } = await open(name);
	database.set('root', 'number', 'a', 1);
	void database.flush();
	database.set('root', 'number', 'b', 2);
	void database.flush();
	await database.flush();
	expect((await open(name)).ids).toBe('ab');
});

it('PS-04 after a failed write the database is empty, and nothing more is written', async () => {
	const name = nextName();
	const onFailed = vi.fn();
	const { database } = await open(name, { onFailed });
	database.set('root', 'number', 'a', 1);
	await database.flush();
	const reason = new DOMException('no space', 'QuotaExceededError');
	const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
		throw reason;
	});
	database.set('root', 'number', 'b', 2);
	await database.flush();
	put.mockRestore();
	expect(onFailed.mock.calls).toEqual([[reason]]);
	database.set('root', 'number', 'c', 3);
	await database.flush();
	expect((await open(name)).ids).toBe('');
});

it('deletes the entries of one sandbox', async () => {
	const name = nextName();
	const { database } = await open(name);
	database.set('one', 'number', 'a', 1);
	database.set('one-more', 'number', 'b', 1);
	await database.flush();
	database.set('one', 'number', 'c', 1);
	database.deleteSandbox('one');
	await database.flush();
	expect((await open(name)).ids).toBe('b');
});

it('BR-06 lets another version upgrade or delete the database, and says so', async () => {
	const name = nextName();
	const onClosed = vi.fn();
	const { database } = await open(name, { onClosed });
	await new Promise((resolve, reject) => {
		const request = indexedDB.deleteDatabase(name);
		request.onsuccess = resolve;
		request.onerror = reject;
	});
	expect(onClosed).toHaveBeenCalledTimes(1);
	database.set('root', 'number', 'a', 1);
	await database.flush();
	expect((await open(name)).ids).toBe('');
});
