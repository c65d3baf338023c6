import { cp, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { DiskError, openDiskStore } from '#hosts/node/disk/disk-store.server.ts';
import type { StoreOptions } from '#store/store.ts';
import { testStore } from '../../store/contract.ts';
import { temporaryFolder } from '../temporary-folder.ts';

type Note = { readonly text: string };
type Notes = { note: Note; lazy: Note };

const options: StoreOptions<Notes> = {
	note: { maxPerSandbox: 1000, clock: 'real', durable: true },
	lazy: { maxPerSandbox: 1000, clock: 'real' }
};
const clocks = { real: () => 0, sandbox: () => 0 };
const faults: unknown[] = [];
afterAll(() => expect(faults).toEqual([]));

const open = (folder: string) => openDiskStore<Notes>(folder, options, (fault) => faults.push(fault));

testStore('disk', async (rules) => {
	const store = await openDiskStore(await temporaryFolder(), rules, (fault) => faults.push(fault));
	onTestFinished(() => store.close());
	return store;
});

it('has every record again after it was closed, in the same order', async () => {
	const folder = await temporaryFolder();
	const first = await open(folder);
	const records = first.forSandbox('one', clocks);
	for (const id of ['c', 'a', 'b', 'd']) await records.update('note', id, () => ({ text: id }));
	await records.update('lazy', 'x', () => ({ text: 'x' }));
	await records.update('note', 'c', () => ({ text: 'changed' }));
	await records.delete('note', 'a');
	await first.forSandbox('gone', clocks).update('note', 'z', () => ({ text: 'z' }));
	await first.drop('gone');
	await first.close();

	const second = await open(folder);
	expect(await second.sandboxes()).toEqual(['one']);
	const again = second.forSandbox('one', clocks);
	expect(await again.list('note')).toEqual([
		['c', { text: 'changed' }],
		['b', { text: 'b' }],
		['d', { text: 'd' }]
	]);
	expect(await again.get('lazy', 'x')).toEqual({ text: 'x' });
	await second.close();
});

it('waits for durable changes only, once they are on the disk', async () => {
	const folder = await temporaryFolder();
	const store = await open(folder);
	const records = store.forSandbox('one', clocks);
	expect(store.settled()).toBeUndefined();
	await records.update('lazy', 'a', () => ({ text: 'a' }));
	expect(store.settled()).toBeUndefined();
	await records.update('note', 'b', () => ({ text: 'b' }));
	await store.settled();
	expect(store.settled()).toBeUndefined();
	// The files as a crash leaves them: nothing was closed.
	const copy = await temporaryFolder();
	await cp(folder, copy, { recursive: true });
	const left = await open(copy);
	const after = left.forSandbox('one', clocks);
	expect([await after.get('lazy', 'a'), await after.get('note', 'b')]).toEqual([{ text: 'a' }, { text: 'b' }]);
	await left.close();
	await store.close();
});

it('rejects a second process, and damaged data, again and again', async () => {
	const folder = await temporaryFolder();
	const store = await open(folder);
	const rejected = async (sentence: string) => {
		await expect(open(folder)).rejects.toThrow(sentence);
		await expect(open(folder)).rejects.toThrow(DiskError);
	};
	await rejected('Another Tollgate uses the data');
	for (let count = 0; count < 50; count++)
		await store.forSandbox('one', clocks).update('note', String(count), () => ({ text: 'x'.repeat(200) }));
	await store.close();

	const files = join(folder, 'store');
	const [log = ''] = (await readdir(files)).filter((name) => name.endsWith('.log') || name.endsWith('.ldb'));
	const [manifest = ''] = (await readdir(files)).filter((name) => name.startsWith('MANIFEST'));
	const intact = await temporaryFolder();
	await cp(folder, intact, { recursive: true });
	for (const name of [log, manifest]) {
		await cp(intact, folder, { recursive: true });
		const whole = await readFile(join(files, name));
		const half = Math.floor(whole.length / 2);
		whole.fill(0, half, half + 20);
		await writeFile(join(files, name), whole);
		await rejected('is damaged');
	}
});

it('rejects a record without the fields of its kind, also when it is whole for the files', async () => {
	const folder = await temporaryFolder();
	const first = await open(folder);
	await first.forSandbox('one', clocks).update('note', 'a', () => ({ text: 'a' }));
	await first.close();
	const strict: StoreOptions<Notes> = { ...options, note: { ...options.note, required: { text: 'number' } } };
	for (let count = 0; count < 2; count++)
		await expect(openDiskStore(folder, strict, (fault) => faults.push(fault))).rejects.toThrow(
			'is damaged (a record of the kind note is incomplete)'
		);
	const second = await open(folder);
	expect(await second.forSandbox('one', clocks).get('note', 'a')).toEqual({ text: 'a' });
	await second.close();
});

it('rejects files that a crash left without the last durable changes', async () => {
	const folder = await temporaryFolder();
	const store = await open(folder);
	for (const id of ['a', 'b', 'c']) {
		await store.forSandbox('one', clocks).update('note', id, () => ({ text: id }));
		await store.settled();
	}
	const copy = await temporaryFolder();
	await cp(folder, copy, { recursive: true });
	await store.close();
	const files = join(copy, 'store');
	const [log = ''] = (await readdir(files)).filter((name) => name.endsWith('.log'));
	const { size } = await stat(join(files, log));
	await truncate(join(files, log), size - 20);
	await expect(open(copy)).rejects.toThrow('is damaged (3 batches were written, 2 are left)');
});
