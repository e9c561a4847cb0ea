import { luaScript } from '../connection/lua-script';
import { READ_BUCKET_ARGUMENT } from './bucket-argument';

/**
 * The same rule as `giveBack` (libs/limits). An expired record means full buckets.
 *
 * KEYS  the records of the API key, of the organization and of each group
 * ARGV  their buckets in the form of `bucketArgument`
 */
export const giveBackScript = luaScript(`
local DROPS_PER_UNIT = 60000
${READ_BUCKET_ARGUMENT}
local numbers, records = read_bucket_argument(ARGV[1])
local requests, tokens = numbers[#numbers - 1] * DROPS_PER_UNIT, numbers[#numbers] * DROPS_PER_UNIT

local stored = redis.call('MGET', unpack(KEYS))
for holder = 1, records do
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
