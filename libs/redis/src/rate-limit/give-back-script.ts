import { luaScript } from '../connection/lua-script';
import { BUCKET_ARGUMENT_PATTERN, BUCKET_GROUP_PATTERN } from './bucket-argument';

/**
 * The same rule as `giveBack` (libs/limits). An expired record means full buckets.
 *
 * KEYS  the records of the API key, of the organization and of each group
 * ARGV  their buckets in the form of `bucketArgument`
 */
export const giveBackScript = luaScript(`
local DROPS_PER_UNIT = 60000
local key_rpm, key_tpm, org_rpm, org_tpm, requests, tokens, groups =
  string.match(ARGV[1], '${BUCKET_ARGUMENT_PATTERN}')
requests, tokens = requests * DROPS_PER_UNIT, tokens * DROPS_PER_UNIT

local stored = redis.call('MGET', unpack(KEYS))
local function give_back(record, capacity_of_requests, capacity_of_tokens)
  if not stored[record] then return end
  local at, level_of_requests, level_of_tokens = struct.unpack('<ddd', stored[record])
  local full_requests, full_tokens = capacity_of_requests * DROPS_PER_UNIT, capacity_of_tokens * DROPS_PER_UNIT
  local packed = struct.pack('<ddd', at,
    math.max(level_of_requests, math.min(full_requests, level_of_requests + requests)),
    math.max(level_of_tokens, math.min(full_tokens, level_of_tokens + tokens)))
  redis.call('SET', KEYS[record], packed, 'KEEPTTL')
end

give_back(1, key_rpm, key_tpm)
give_back(2, org_rpm, org_tpm)
local record = 3
for capacity_of_requests, capacity_of_tokens in string.gmatch(groups, '${BUCKET_GROUP_PATTERN}') do
  give_back(record, capacity_of_requests, capacity_of_tokens)
  record = record + 1
end
`);
