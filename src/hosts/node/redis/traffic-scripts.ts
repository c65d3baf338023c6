import { script } from './redis-link.server.ts';

/** The start of each script: deletes the oldest entries beyond the limits. */
const common = `
local head, entries, ids, labels, labelled = unpack(KEYS)
local function trim(maxEntries, maxSize)
	local length, total = redis.call('XLEN', entries), tonumber(redis.call('HGET', head, 'traffic:size') or '0')
	while length > maxEntries or (total > maxSize and length > 1) do
		local oldest = redis.call('XRANGE', entries, '-', '+', 'COUNT', 1)[1]
		redis.call('XDEL', entries, oldest[1])
		redis.call('HDEL', ids, oldest[2][2])
		total = redis.call('HINCRBY', head, 'traffic:size', -tonumber(oldest[2][4]))
		length = length - 1
	end
end
`;

/**
 * Adds an entry with the labels of its values, and announces it.
 * Returns the number of the entry.
 */
export const appendEntry = script(`${common}
local maxEntries, maxSize, id, size, maxLabels = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], ARGV[4], tonumber(ARGV[5])
local several, ownFlow, text = ARGV[6], ARGV[7], ARGV[8]
if redis.call('HEXISTS', head, 'dropped') == 1 then return 0 end
local number = redis.call('HINCRBY', head, 'traffic', 1)

local flow, own = ownFlow, {}
for at = 9, #ARGV, 2 do
	local value, kind = ARGV[at], ARGV[at + 1]
	local label, known = string.match(redis.call('HGET', labels, value) or '', '^([^;]+);(.*)$')
	local before = known
	if not label then
		label, known = kind .. ' ' .. redis.call('HINCRBY', head, 'label:' .. kind, 1), ''
	end
	if known == '' and string.sub(label, 1, #several) ~= several then known = ownFlow end
	if known ~= before then redis.call('HSET', labels, value, label .. ';' .. known) end
	redis.call('ZADD', labelled, number, value)
	if flow == '' then flow = known end
	own[#own + 1] = label
end
local excess = redis.call('ZCARD', labelled) - maxLabels
if excess > 0 then
	local oldest = redis.call('ZPOPMIN', labelled, excess)
	for at = 1, #oldest, 2 do redis.call('HDEL', labels, oldest[at]) end
end

redis.call('XADD', entries, number .. '-0', 'id', id, 'size', size, 'flow', flow, 'entry', text, 'labels', table.concat(own, ';'))
redis.call('HSET', ids, id, number)
redis.call('HINCRBY', head, 'traffic:size', size)
trim(maxEntries, maxSize)
redis.call('PUBLISH', entries, 'entry')
return number
`);

/** Returns the entries from a number on, at most so many. */
export const readEntries = script(`${common}
trim(tonumber(ARGV[1]), tonumber(ARGV[2]))
return redis.call('XRANGE', entries, ARGV[3] .. '-0', '+', 'COUNT', ARGV[4])
`);

/** Returns the entry with this `X-Request-Id`. */
export const findEntry = script(`${common}
trim(tonumber(ARGV[1]), tonumber(ARGV[2]))
local number = redis.call('HGET', ids, ARGV[3])
if not number then return {} end
return redis.call('XRANGE', entries, number .. '-0', number .. '-0')
`);

/** Deletes all entries. Numbers and labels continue. */
export const clearEntries = script(`${common}
redis.call('UNLINK', entries, ids)
redis.call('HDEL', head, 'traffic:size')
return 1
`);
