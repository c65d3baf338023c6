import { join } from 'node:path';
import { ChangeLog, RecordSets } from '#store/change-log.ts';
import { createMemoryStore } from '#store/memory.ts';
import type { Store, StoreOptions } from '#store/store.ts';
import { EntryFiles } from './entry-files.server.ts';

/** How long a change that may be lost in a crash waits for others, in milliseconds. */
const writeDelay = 50;

/** A store whose records survive the end of the process. */
export type DiskStore<S> = Store<S> & {
	/** Why the latest write failed; undefined where it did not. */
	problem(): string | undefined;
	/** Writes what is left, and closes the files. */
	close(): Promise<void>;
};

/**
 * Opens a store, as the last process left it. Its records are in memory, and a change log of their changes is on the disk.
 * @param dataFolder `DATA_DIR`
 * @param rules how each kind is stored
 * @param report gets the error of a write that no request waits for
 * @throws DiskError if the data cannot be used
 */
export async function openDiskStore<S extends { [K in keyof S]: object }>(
	dataFolder: string,
	rules: StoreOptions<S>,
	report: (fault: unknown) => void
): Promise<DiskStore<S>> {
	const { files, stored } = await EntryFiles.open<S>(join(dataFolder, 'store'));
	const records = new RecordSets<S>();
	for (const [, { sandbox, kind, id, value }] of stored) records.add(sandbox, kind, id, value);
	let problem: string | undefined;
	const changes: ChangeLog<S> = new ChangeLog<S>(async (batch, durable) => {
		try {
			await files.write(batch, changes.size, durable);
			problem = undefined;
		} catch (reason) {
			problem = 'The last change could not be written to the disk.';
			throw reason;
		}
	}, stored);
	let timer: ReturnType<typeof setTimeout> | undefined;
	const write = () => {
		timer = undefined;
		changes.flush().catch(report);
	};
	const store = createMemoryStore<S>(rules, {
		initial: records.bySandbox,
		onChange(sandbox, kind, id, record) {
			changes.set(sandbox, kind, id, record, rules[kind].durable === true);
			timer ??= setTimeout(write, writeDelay);
		}
	});
	return {
		...store,
		problem: () => problem,
		settled: () => (changes.isDurableWaiting ? changes.flush() : undefined),
		async close() {
			clearTimeout(timer);
			await changes.flush();
			await files.close();
		}
	};
}
