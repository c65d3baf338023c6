local id, size, flow, text, values = ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]
if redis.call('HEXISTS', head, 'dropped') == 1 then return 0 end
local number = redis.call('HINCRBY', head, 'traffic', 1)
redis.call('XADD', entries, number .. '-0', 'entry', text)
redis.call('RPUSH', facts, table.concat({ number, id, size, flow, values }, ';'))
redis.call('HSET', ids, id, number)
local total = redis.call('HINCRBY', head, 'traffic:size', size)
redis.call('PUBLISH', entries, 'entry')
if number % 64 == 0 or total > 1.5 * maxSize then settle() end
return number
