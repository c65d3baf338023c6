import records from './lua/records.lua?raw';
import writeRecordLua from './lua/write-record.lua?raw';
import purgeRecordsLua from './lua/purge-records.lua?raw';
import commitStagedLua from './lua/commit-staged.lua?raw';
import { partsPerKind } from './redis-keys.ts';
import { script } from './redis-link.server.ts';
import { isRecord } from '#store/copy-strings.ts';
import { StoreUnavailable } from '#store/errors.ts';
import { type FieldType, isComplete } from '#store/store.ts';

const common = `local partsPerKind = ${partsPerKind}\n${records}`;

/**
 * Writes or deletes a record if it still has the expected version, and evicts others for it.
 * Returns `ok` and the new version, `changed` and the stored record, `full`, `locked`, or `dropped`.
 */
export const writeRecord = script(common + writeRecordLua);

/** Deletes a record, and returns what was stored: `ok` and the record, or `locked`. */
export const deleteRecord = script(`${common}
local kind = kindAt(3, ARGV[1], ARGV[2], ARGV[3])
if redis.call('EXISTS', lock) == 1 then return {'locked'} end
local stored = redis.call('HGET', kind.records, ARGV[4])
if stored then remove(kind, ARGV[4], stored) end
return {'ok', stored or ''}
`);

/** Returns how many records expire after a bound, then the ids and records of those that expire first. */
export const soonestRecords = script(`
local records, expiry = KEYS[1], KEYS[2]
local found = { redis.call('ZCOUNT', expiry, ARGV[1], '+inf') }
for _, id in ipairs(redis.call('ZRANGEBYSCORE', expiry, ARGV[1], '+inf', 'LIMIT', 0, ARGV[2])) do
	found[#found + 1] = id
	found[#found + 1] = redis.call('HGET', records, id)
end
return found
`);

/** Deletes expired records, at most 1000 of each kind. Returns how many. */
export const purgeRecords = script(common + purgeRecordsLua);

/** Reserves version numbers. Returns the last one, as text. */
export const reserveVersions = script(`${common}
return text(reserve(tonumber(ARGV[1])))
`);

/**
 * Puts staged records in the place of all records of their kinds, in one step.
 * Returns `ok`, `locked`, `dropped`, or `changed` if the lock of this process has expired.
 */
export const commitStaged = script(common + commitStagedLua);

/** Removes the lock of a process, and no other. */
export const unlock = script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`);

/** Deletes all keys of a sandbox, and announces that. For an hour no other process can write to it. */
export const dropSandbox = script(`
for at = 1, #KEYS do redis.call('UNLINK', KEYS[at]) end
redis.call('HSET', KEYS[1], 'dropped', '1')
redis.call('EXPIRE', KEYS[1], 3600)
redis.call('PUBLISH', ARGV[1], 'deleted')
return 1
`);

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
