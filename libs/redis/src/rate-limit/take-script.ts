import { luaScript } from '../connection/lua-script';
import { READ_BUCKET_ARGUMENT } from './bucket-argument';

/**
 * The same rules as `refill` and `admit` (libs/limits): it takes from all buckets of a call or from none, one call
 * after another. It returns the levels before that, from which `admit` computes waits and headers, so that they have
 * one source.
 *
 * A holder's two buckets are always used together, so they are one record of 24 bytes: time, requests, tokens. A
 * refusal writes the record too, as the rule does, so that a later change of the limit applies only from then on. The
 * record expires when its buckets would be full under any limit.
 *
 * The arithmetic is exact: every number is whole. The largest is a full bucket and a minute's refill, 2 * 60 000 *
 * capacity. It is below 2^53, where doubles stop being exact, for capacities up to 7.5e10. A stored limit is below
 * 2^31.
 *
 * KEYS  for each call: the records of the API key, of the organization, and of each group (at most three)
 * ARGV  first the time in ms, empty for the server's own; then for each call its buckets in the form of `bucketArgument`
 * Returns  doubles: the server's time; of each call, of each of its records: requests, tokens, in drops, before anything
 *       was taken
 */
export const takeScript = luaScript(`
local DROPS_PER_UNIT, REFILL_MS = 60000, 60000
${READ_BUCKET_ARGUMENT}
local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local function refill(stored, capacity_of_requests, capacity_of_tokens)
  local full_requests = capacity_of_requests * DROPS_PER_UNIT
  local full_tokens = capacity_of_tokens * DROPS_PER_UNIT
  if not stored then return full_requests, full_tokens end
  local at, requests, tokens = struct.unpack('<ddd', stored)
  local elapsed = math.min(math.max(0, now - at), REFILL_MS)
  return math.min(full_requests, requests + elapsed * capacity_of_requests),
    math.min(full_tokens, tokens + elapsed * capacity_of_tokens)
end

local found = { struct.pack('<d', now) }
local before = 0
for call = 2, #ARGV do
  local numbers, records = read_bucket_argument(ARGV[call])
  local requests, tokens = numbers[#numbers - 1] * DROPS_PER_UNIT, numbers[#numbers] * DROPS_PER_UNIT

  local stored = redis.call('MGET', unpack(KEYS, before + 1, before + records))
  local levels = {}
  local fits = true
  for record = 1, records do
    local left_requests, left_tokens = refill(stored[record], numbers[record * 2 - 1], numbers[record * 2])
    levels[record * 2 - 1], levels[record * 2] = left_requests, left_tokens
    found[#found + 1] = struct.pack('<dd', left_requests, left_tokens)
    if left_requests < requests or left_tokens < tokens then fits = false end
  end

  if not fits then requests, tokens = 0, 0 end
  for record = 1, records do
    redis.call('SET', KEYS[before + record],
      struct.pack('<ddd', now, levels[record * 2 - 1] - requests, levels[record * 2] - tokens), 'PX', REFILL_MS)
  end
  before = before + records
end
return table.concat(found)
`);
