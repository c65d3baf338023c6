import { cp, readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDiskStore } from '#hosts/node/disk/disk-store.server.ts';
import type { StoreOptions } from '#store/store.ts';
import { StoreUnavailable } from '#store/errors.ts';
import { describeWithSmallDisk, mountSmallDisk } from '../small-disk.ts';
import { temporaryFolder } from '../temporary-folder.ts';

type Note = { readonly text: string };
type Notes = { note: Note; lazy: Note };

const options: StoreOptions<Notes> = {
	note: { maxPerSandbox: 10_000, clock: 'real', durable: true },
	lazy: { maxPerSandbox: 10_000, clock: 'real' }
};
const clocks = { real: () => 0, sandbox: () => 0 };
const long = 'x'.repeat(2000);

const faults: unknown[] = [];
const open = (folder: string) => openDiskStore<Notes>(folder, options, (fault) => faults.push(fault));

/** A store on its own small disk. */
async function start() {
	faults.length = 0;
	const disk = await mountSmallDisk();
	const data = join(disk.folder, 'data');
	const store = await open(data);
	const notes = store.forSandbox('one', clocks);
	/** Writes as a request does. */
	const write = async (id: string, text: string) => {
		const since = store.durableChanges();
		await notes.update('note', id, () => ({ text }));
		await store.settled(since);
	};
	/** Fills the disk, and writes until that fails. */
	const fail = async () => {
		await disk.fill();
		await expect(async () => {
			for (let count = 0; count < 100; count++) await write(`unknown ${count}`, long);
		}).rejects.toThrow(StoreUnavailable);
		expect(store.problem()).toBe('The records cannot be written: the disk is full.');
	};
	const recover = async () => {
		await disk.free();
		await expect.poll(store.problem, { timeout: 5_000 }).toBeUndefined();
	};
	/** The texts after a start from the files as a crash leaves them. */
	const afterCrash = async (...ids: string[]) => {
		const copy = await temporaryFolder();
		await cp(data, copy, { recursive: true });
		const left = await open(copy);
		const kept = await Promise.all(ids.map((id) => left.forSandbox('one', clocks).get('note', id)));
		await left.close();
		return kept.map((note) => note?.text);
	};
	return { data, store, notes, write, fail, recover, afterCrash };
}

describeWithSmallDisk('a full disk', () => {
	it('loses nothing that was acknowledged before, between and after two failures', async () => {
		const { store, write, fail, recover, afterCrash } = await start();
		await write('revoked', 'no');
		for (const round of ['first', 'second']) {
			await fail();
			expect(await afterCrash('revoked')).toEqual([round === 'first' ? 'no' : 'first']);
			await recover();
			await write('revoked', round);
			await write(round, 'new');
		}
		expect(await afterCrash('revoked', 'first', 'second')).toEqual(['second', 'new', 'new']);
		await store.close();
	});

	it('writes everything again if the files have lost what was written before the failure', async () => {
		const { data, store, write, fail, recover, afterCrash } = await start();
		for (const id of ['a', 'b', 'c']) await write(id, id);
		await fail();
		const files = join(data, 'store');
		const [log = ''] = (await readdir(files)).filter((name) => name.endsWith('.log'));
		await truncate(join(files, log), 10);
		await recover();
		expect(await afterCrash('a', 'b', 'c')).toEqual(['a', 'b', 'c']);
		await store.close();
	});

	it('rejects changes that must survive a crash, and reports that once, while others and reads pass', async () => {
		const { store, notes, write, fail, recover } = await start();
		await write('a', 'before');
		await fail();
		await expect(write('a', 'after')).rejects.toThrow(StoreUnavailable);
		await expect(notes.delete('note', 'a')).rejects.toThrow(StoreUnavailable);
		await expect(notes.replace({ note: [] })).rejects.toThrow(StoreUnavailable);
		await expect(store.drop('one')).rejects.toThrow(StoreUnavailable);
		const since = store.durableChanges();
		expect(await notes.get('note', 'a')).toEqual({ text: 'before' });
		await notes.update('lazy', 'b', () => ({ text: 'b' }));
		expect(store.settled(since)).toBeUndefined();
		expect(faults.map(String)).toEqual(['Error: The records cannot be written: the disk is full.']);
		await recover();
		await write('a', 'after');
		await store.close();
	});
});
