import { luaScript } from '../connection/lua-script';
import { BUCKET_ARGUMENT_PATTERN } from './bucket-argument';

/**
 * The same rule as `giveBack` (libs/limits). An expired record means full buckets. KEYS  the records of the API key
 * and of the organization ARGV  their buckets in the form of `bucketArgument`
 */
export const giveBackScript = luaScript(`
local DROPS_PER_UNIT = 60000
local numbers = { string.match(ARGV[1], '${BUCKET_ARGUMENT_PATTERN}') }
local requests, tokens = numbers[5] * DROPS_PER_UNIT, numbers[6] * DROPS_PER_UNIT

local stored = redis.call('MGET', KEYS[1], KEYS[2])
for holder = 1, 2 do
  if stored[holder] then
    local at, level_of_requests, level_of_tokens = struct.unpack('<ddd', stored[holder])
    local full_requests = numbers[holder * 2 - 1] * DROPS_PER_UNIT
    local full_tokens = numbers[holder * 2] * DROPS_PER_UNIT
    local packed = struct.pack('<ddd', at,
      math.max(level_of_requests, math.min(full_requests, level_of_requests + requests)),
      math.max(level_of_tokens, math.min(full_tokens, level_of_tokens + tokens)))
    redis.call('SET', KEYS[holder], packed, 'KEEPTTL')
  end
end
`);
