import { join } from 'node:path';
import { type Batch, ChangeLog, type Entry, RecordSets } from '#store/change-log.ts';
import { createMemoryStore } from '#store/memory.ts';
import { isComplete, type Store, type StoreOptions } from '#store/store.ts';
import { StoreUnavailable } from '#store/errors.ts';
import { reportOnce } from '../report-once.ts';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { ClassicLevel } from 'classic-level';
import { makeFolder } from '../../make-folder.server.ts';

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

/** Data of a higher version is neither opened nor changed. */
const version = 1;
const aboutKey = 'about';
/** Contains the number of the last durable batch. LevelDB ignores the damaged end of its log, as a crash leaves it. */
const countFile = 'batches';

/** What the files say about themselves. Each batch writes it, so that missing entries are noticed. */
type About = { readonly version: number; readonly entries: number; readonly batches: number };
type Files<S> = ClassicLevel<string, Entry<S> | About>;

/** What a write adds to the files. */
type Write = {
	readonly batch: Batch;
	/** How many entries there are afterwards. */
	readonly entries: number;
	/** True: the batch is on the disk when the promise resolves. */
	readonly durable: boolean;
	/** Returns all entries of the memory, for files that have lost some. */
	readonly all: () => Batch;
};

/**
 * Entries in the files of a folder, in LevelDB: a batch is written whole or not at all, its files have checksums, and only one
 * process can open them.
 */
class EntryFiles<S> {
	readonly #files: Files<S>;
	readonly #count: FileHandle;
	#batches: number;
	#isBroken = false;

	private constructor(files: Files<S>, count: FileHandle, batches: number) {
		this.#files = files;
		this.#count = count;
		this.#batches = batches;
	}

	/**
	 * Opens the files of a folder, and reads what they contain.
	 * @param folder is created if it does not exist
	 * @throws DiskError if another process uses the folder, or its files are damaged or of another version
	 */
	static async open<S>(folder: string): Promise<{ files: EntryFiles<S>; stored: [key: number, entry: Entry<S>][] }> {
		await makeFolder(folder);
		// Only a server with STORE=disk loads this native package.
		const { ClassicLevel } = await import('classic-level');
		const files: Files<S> = new ClassicLevel(folder, { valueEncoding: 'json' });
		let count: FileHandle | undefined;
		try {
			await files.open();
			count = await open(join(folder, countFile), constants.O_RDWR | constants.O_CREAT, 0o600);
			const { stored, batches } = await readAll(files, folder, Number(await count.readFile('utf8')));
			const opened = new EntryFiles(files, count, batches);
			await opened.#writeCount();
			return { files: opened, stored };
		} catch (error) {
			await count?.close();
			await files.close().catch(() => undefined);
			throw explain(error, folder);
		}
	}

	/**
	 * Writes a batch, all or nothing. If it fails, the caller keeps the batch and writes it again.
	 * @throws Error of LevelDB
	 */
	async write({ batch, entries, durable, all }: Write): Promise<void> {
		if (this.#isBroken && !(await this.#reopen())) {
			const whole = all();
			await this.#write(await this.#completed(whole), whole.size, true);
		} else await this.#write(batch, entries, durable);
	}

	async #write(batch: Batch, entries: number, durable: boolean): Promise<void> {
		const batches = this.#batches + 1;
		this.#isBroken = true;
		const chained = this.#files.batch();
		for (const [key, entry] of batch) {
			if (entry === undefined) chained.del(nameOf(key));
			else chained.put(nameOf(key), trusted<Entry<S>>(entry));
		}
		chained.put(aboutKey, { version, entries, batches });
		await chained.write({ sync: durable });
		this.#isBroken = false;
		this.#batches = batches;
		// It only proves a loss, so a file system that cannot write it does not stop the service.
		if (durable) await this.#writeCount().catch(() => undefined);
	}

	/**
	 * After a failed write LevelDB continues behind the torn record in its log, and a later start ignores all of that. Once opened
	 * again, it writes to another log.
	 * @returns whether the files contain all batches that were written
	 */
	async #reopen(): Promise<boolean> {
		await this.#files.close();
		await this.#files.open();
		const about = await this.#files.get(aboutKey);
		const left = about !== undefined && 'batches' in about ? about.batches : 0;
		const isComplete = left >= this.#batches;
		this.#batches = Math.max(left, this.#batches);
		return isComplete;
	}

	/** Adds the deletion of all other entries to a batch. */
	async #completed(whole: Batch): Promise<Batch> {
		const batch = new Map(whole);
		for await (const name of this.#files.keys()) {
			if (name !== aboutKey && !batch.has(Number(name))) batch.set(Number(name), undefined);
		}
		return batch;
	}

	/** Writes in place: that needs no space, and the length of the number is fixed. */
	async #writeCount(): Promise<void> {
		await this.#count.write(nameOf(this.#batches), 0);
	}

	async close(): Promise<void> {
		await this.#files.close();
		await this.#writeCount();
		await this.#count.close();
	}
}

/** @param written the number of the last durable batch */
async function readAll<S>(
	files: Files<S>,
	folder: string,
	written: number
): Promise<{ stored: [number, Entry<S>][]; batches: number }> {
	const stored: [number, Entry<S>][] = [];
	let about: About = { version, entries: 0, batches: 0 };
	for await (const [name, value] of files.iterator()) {
		if ('entries' in value) about = value;
		else stored.push([Number(name), value]);
	}
	if (about.version !== version)
		throw new DiskError(
			`The data in ${folder} is of version ${about.version}. This Tollgate reads version ${version}. Use the Tollgate that wrote it, or set DATA_DIR to another folder.`
		);
	if (about.entries !== stored.length)
		throw damaged(folder, `${about.entries} entries were written, ${stored.length} are left`);
	if (about.batches < written) throw damaged(folder, `${written} batches were written, ${about.batches} are left`);
	return { stored, batches: about.batches };
}

/** Names sort as their numbers do. */
function nameOf(key: number): string {
	return String(key).padStart(16, '0');
}

function damaged(folder: string, reason: string): DiskError {
	return new DiskError(
		`The data in ${folder} is damaged (${reason}). Restore a backup of the folder, or move it away to start empty.`
	);
}

function explain(error: unknown, folder: string): unknown {
	if (error instanceof DiskError || !(error instanceof Error)) return error;
	const { message, code } = causeOf(error);
	if (code === 'LEVEL_LOCKED')
		return new DiskError(`Another Tollgate uses the data in ${folder}. Stop it, or set DATA_DIR to another folder.`);
	if (/no space|read-only|permission denied/i.test(message))
		return new DiskError(
			`The data in ${folder} cannot be opened: ${message}. Free some space, or change the permissions.`
		);
	return damaged(folder, message);
}

function causeOf({ message, cause }: Error): { readonly message: string; readonly code: unknown } {
	if (!(cause instanceof Error)) return { message, code: undefined };
	return { message: cause.message, code: 'code' in cause ? cause.code : undefined };
}

/** The change log writes what `Entry` describes. */
function trusted<T>(entry: object): T;
function trusted(entry: object): unknown {
	return entry;
}

/** Why the data of an earlier run cannot be used. Its message is for the user who started the server. */
export class DiskError extends Error {
	override name = 'DiskError';
}
