import { script } from './redis-link.server.ts';
import common from './lua/traffic.lua?raw';
import appendEntryLua from './lua/append-entry.lua?raw';

/** Adds an entry with the values in it, and announces it. */
export const appendEntry = script(common + appendEntryLua);

/** Returns the entries from a number on, at most so many, and then what was assigned to each. */
export const readEntries = script(`${common}
settle()
local found = redis.call('XRANGE', entries, ARGV[5] .. '-0', '+', 'COUNT', ARGV[6])
for _, item in ipairs(found) do item[3] = redis.call('HGET', assigned, string.match(item[1], '^%d+')) end
return found
`);

/** Returns the entry with this `X-Request-Id`. */
export const findEntry = script(`${common}
settle()
local number = redis.call('HGET', ids, ARGV[5])
if not number then return {} end
local found = redis.call('XRANGE', entries, number .. '-0', number .. '-0')
for _, item in ipairs(found) do item[3] = redis.call('HGET', assigned, number) end
return found
`);

/** Deletes all entries. Numbers and labels continue. */
export const clearEntries = script(`${common}
labelNew()
redis.call('UNLINK', entries, facts, ids, assigned)
redis.call('HDEL', head, 'traffic:size')
return 1
`);
