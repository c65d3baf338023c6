import { isRecord } from '#store/copy-strings.ts';
import { StoreUnavailable } from '#store/errors.ts';
import { isComplete, type FieldType } from '#store/store.ts';

export type RequiredFields = Readonly<Record<string, FieldType | undefined>> | undefined;

export type StoredRecord<T> = {
	/** `0` if there is none. */
	readonly version: string;
	/** The version of its first write, by which records are ordered. */
	readonly born: string;
	/** Undefined if there is none. */
	readonly record: T | undefined;
};

/** Where no record is stored. */
export const absent = { version: '0', born: '0', record: undefined } as const;

/**
 * Reads what a script or command returned for a record: `version;born;weight;JSON`.
 * @param required fields of its kind
 * @throws StoreUnavailable if it is something else
 */
export function readStored<T>(stored: unknown, required: RequiredFields): StoredRecord<T> {
	if (stored === null || stored === '') return absent;
	const [, version, born] = (typeof stored === 'string' && /^(\d+);(\d+);\d+;/.exec(stored)) || [];
	if (typeof stored !== 'string' || version === undefined || born === undefined) throw unreadable();
	try {
		const json = stored.slice(stored.indexOf(';', version.length + born.length + 2) + 1);
		const record: unknown = JSON.parse(json);
		if (isRecord(record) && isComplete(record, required)) return { version, born, record: trusted<T>(record) };
	} catch {
		// The error below says it.
	}
	throw unreadable();
}

/** Writes a record for staging, where no script writes it. */
export function writeStored(version: number, weight: number, record: object): string {
	return `${version};${version};${weight};${JSON.stringify(record)}`;
}

/** The parts of what a script returned. */
export function readParts(reply: unknown): string[] {
	if (!Array.isArray(reply)) throw unreadable();
	return reply.map(String);
}

/** Reads the records of a hash, oldest first. */
export function readAll<T>(hash: unknown, required: RequiredFields): [id: string, record: T][] {
	if (typeof hash !== 'object' || hash === null) throw unreadable();
	const found: [born: number, id: string, record: T][] = [];
	for (const [id, stored] of Object.entries(hash)) {
		const { born, record } = readStored<T>(stored, required);
		if (record !== undefined) found.push([Number(born), id, record]);
	}
	return found.sort(([one], [other]) => one - other).map(([, id, record]) => [id, record]);
}

/** The error for what another program wrote. */
export function unreadable(): StoreUnavailable {
	return new StoreUnavailable('The store returned something that Tollgate did not write.');
}

/** What the service wrote is of the type that it wrote. */
export function trusted<T>(record: unknown): T;
export function trusted(record: unknown): unknown {
	return record;
}
