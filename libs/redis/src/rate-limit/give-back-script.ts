import { luaScript } from '../connection/lua-script';

/**
 * The twin of `giveBack` (libs/inference). A record that expired meanwhile stands for full buckets.
 * KEYS and ARGV 1-6 as those of the take.
 */
export const giveBackScript = luaScript(`
local DROPS_PER_UNIT = 60000
local requests, tokens = ARGV[5] * DROPS_PER_UNIT, ARGV[6] * DROPS_PER_UNIT

local stored = redis.call('MGET', KEYS[1], KEYS[2])
for holder = 1, 2 do
  if stored[holder] then
    local at, level_of_requests, level_of_tokens = struct.unpack('<ddd', stored[holder])
    local full_requests = ARGV[holder * 2 - 1] * DROPS_PER_UNIT
    local full_tokens = ARGV[holder * 2] * DROPS_PER_UNIT
    local packed = struct.pack('<ddd', at,
      math.max(level_of_requests, math.min(full_requests, level_of_requests + requests)),
      math.max(level_of_tokens, math.min(full_tokens, level_of_tokens + tokens)))
    redis.call('SET', KEYS[holder], packed, 'KEEPTTL')
  end
end
`);
