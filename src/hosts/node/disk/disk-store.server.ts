import { join } from 'node:path';
import { ChangeLog, RecordSets } from '#store/change-log.ts';
import { createMemoryStore } from '#store/memory.ts';
import { isComplete, type Store, type StoreOptions } from '#store/store.ts';
import { StoreUnavailable } from '#store/errors.ts';
import { reportOnce } from '../report-once.ts';
import { damaged, EntryFiles } from './entry-files.server.ts';

/** How long a change that may be lost in a crash waits for others, in milliseconds. */
const writeDelay = 50;
/** When a batch that could not be written is tried again, in milliseconds. */
const retryDelay = 1_000;

/** A store whose records survive the end of the process. */
export type DiskStore<S> = Store<S> & {
	/** Why changes of durable kinds are rejected now: the latest write failed. It is tried again each second. Undefined where it did not. */
	problem(): string | undefined;
	/** Writes what is left, and closes the files. */
	close(): Promise<void>;
};

/**
 * Opens a store, as the last process left it. Its records are in memory, and a change log of their changes is on the disk.
 * @param dataFolder `DATA_DIR`
 * @param rules how each kind is stored
 * @param report gets the reason why nothing can be written, once in 10 seconds
 * @throws DiskError if the data cannot be used
 */
export async function openDiskStore<S extends { [K in keyof S]: object }>(
	dataFolder: string,
	rules: StoreOptions<S>,
	report: (fault: unknown) => void
): Promise<DiskStore<S>> {
	const { files, stored } = await EntryFiles.open<S>(join(dataFolder, 'store'));
	const records = new RecordSets<S>();
	for (const [, { sandbox, kind, id, value }] of stored) {
		if (!isComplete(value, rules[kind]?.required)) {
			await files.close();
			throw damaged(join(dataFolder, 'store'), `a record of the kind ${kind} is incomplete`);
		}
		records.add(sandbox, kind, id, value);
	}
	let problem: string | undefined;
	let timer: ReturnType<typeof setTimeout> | undefined;
	const reportFailure = reportOnce(report);
	const write = () => {
		timer = undefined;
		// The batch reports its failure.
		changes.flush().catch(() => undefined);
	};
	const changes: ChangeLog<S> = new ChangeLog<S>(async (batch, durable) => {
		try {
			await files.write({ batch, entries: changes.size, durable, all: () => changes.batchOf(store.all()) });
			problem = undefined;
		} catch (cause) {
			const reason = isFull(cause) ? 'the disk is full' : 'the disk does not accept them';
			problem = `The records cannot be written: ${reason}.`;
			reportFailure(new Error(problem, { cause }));
			timer ??= setTimeout(write, retryDelay);
			throw rejection(cause);
		}
	}, stored);
	const store = createMemoryStore<S>(rules, {
		initial: records.bySandbox,
		beforeChange(kind) {
			if (problem !== undefined && rules[kind].durable === true) throw rejection();
		},
		onChange(sandbox, kind, id, record) {
			// While nothing can be written, only expiry and eviction change a durable kind. They may be lost in a crash.
			changes.set(sandbox, kind, id, record, rules[kind].durable === true && problem === undefined);
			timer ??= setTimeout(write, writeDelay);
		}
	});
	return {
		...store,
		problem: () => problem,
		durableChanges: () => changes.durableChanges,
		settled(since = 0) {
			if (!changes.isDurableWaiting) return undefined;
			const isPassing = problem !== undefined && changes.durableChanges <= since;
			return isPassing ? undefined : changes.flush();
		},
		async close() {
			clearTimeout(timer);
			try {
				await changes.flush();
			} finally {
				clearTimeout(timer);
				await files.close();
			}
		}
	};
}

function rejection(cause?: unknown): StoreUnavailable {
	return new StoreUnavailable('The store of this server accepts no changes now.', { cause });
}

/** Whether an error of LevelDB, or its cause, says that there is no space left. */
function isFull(fault: unknown): boolean {
	return fault instanceof Error && (/no space|quota/i.test(fault.message) || isFull(fault.cause));
}
