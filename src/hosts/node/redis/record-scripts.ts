import { partsPerKind } from './redis-keys.ts';
import { script } from './redis-link.server.ts';
import records from './lua/records.lua?raw';
import writeRecordLua from './lua/write-record.lua?raw';
import purgeRecordsLua from './lua/purge-records.lua?raw';
import commitStagedLua from './lua/commit-staged.lua?raw';

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
