import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClassicLevel } from 'classic-level';
import type { Batch, Entry } from '#store/change-log.ts';
import { DiskError } from './disk-error.ts';

/** Data of a higher version is not opened, and stays as it is. */
const version = 1;
const aboutKey = 'about';
/** The number of batches at an orderly end. LevelDB ignores the damaged end of its log, as a crash leaves it. */
const endFile = 'batches-at-end';

/** What the files say about themselves. Each batch writes it, so that missing entries are noticed. */
type About = { readonly version: number; readonly entries: number; readonly batches: number };
type Files<S> = ClassicLevel<string, Entry<S> | About>;

/**
 * Entries in the files of a folder, in LevelDB: a batch is written whole or not at all, its files have checksums, and only one
 * process can open them.
 */
export class EntryFiles<S> {
	readonly #files: Files<S>;
	readonly #folder: string;
	#batches: number;

	private constructor(files: Files<S>, folder: string, batches: number) {
		this.#files = files;
		this.#folder = folder;
		this.#batches = batches;
	}

	/**
	 * Opens the files of a folder, and reads what they contain.
	 * @param folder is made where it does not exist
	 * @throws DiskError if another process uses the folder, or its files are damaged or of another version
	 */
	static async open<S>(folder: string): Promise<{ files: EntryFiles<S>; stored: [key: number, entry: Entry<S>][] }> {
		await mkdir(folder, { recursive: true, mode: 0o700 });
		// Only a server with STORE=disk loads this native package.
		const { ClassicLevel } = await import('classic-level');
		const files: Files<S> = new ClassicLevel(folder, { valueEncoding: 'json' });
		try {
			await files.open();
			const { stored, batches } = await readAll(files, folder);
			await rm(join(folder, endFile), { force: true });
			return { files: new EntryFiles(files, folder, batches), stored };
		} catch (error) {
			await files.close().catch(() => undefined);
			throw explain(error, folder);
		}
	}

	/**
	 * Writes a batch, all or nothing.
	 * @param entries how many there are afterwards
	 * @param durable true: it is on the disk when the promise resolves
	 */
	async write(batch: Batch, entries: number, durable: boolean): Promise<void> {
		const chained = this.#files.batch();
		for (const [key, entry] of batch) {
			if (entry === undefined) chained.del(nameOf(key));
			else chained.put(nameOf(key), trusted<Entry<S>>(entry));
		}
		chained.put(aboutKey, { version, entries, batches: ++this.#batches });
		await chained.write({ sync: durable });
	}

	async close(): Promise<void> {
		await this.#files.close();
		await writeFile(join(this.#folder, endFile), String(this.#batches));
	}
}

async function readAll<S>(files: Files<S>, folder: string): Promise<{ stored: [number, Entry<S>][]; batches: number }> {
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
	const atEnd = await readFile(join(folder, endFile), 'utf8').catch(() => undefined);
	if (atEnd !== undefined && Number(atEnd) !== about.batches)
		throw damaged(folder, `${atEnd} batches were written, ${about.batches} are left`);
	return { stored, batches: about.batches };
}

/** Names sort as their keys do. */
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
