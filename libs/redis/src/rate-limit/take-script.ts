import { luaScript } from '../connection/lua-script';
import { BUCKET_ARGUMENT_PATTERN } from './bucket-argument';

/**
 * The twin of `refill` and of what `admit` takes (libs/inference): all buckets of a call or none, one call after
 * another. It returns what it found and leaves it to `admit` to say what that means, so that waits and headers have one
 * source.
 *
 * A holder's two buckets are always judged together, hence one record of 24 bytes: when, requests, tokens.
 * A record is written even by a refusal, as the rule does: a limit changed later counts from then on only. It
 * expires when any bucket would be full whatever its limit has become by then.
 *
 * Exact: every number is whole, and the largest is a full bucket and a minute's refill, 2 * 60 000 * capacity:
 * below 2^53, where doubles stop being exact, for capacities up to 7.5e10; a stored limit ends at 2^31.
 *
 * KEYS  of each call: the records of the API key and of the organization
 * ARGV  1 the time in ms, empty for the server's own; then of each call: its buckets as `bucketArgument` writes them
 * Returns  doubles: the server's time; of each call, of each of its records: when, requests, tokens, in drops, before
 *       anything was taken
 */
export const takeScript = luaScript(`
local DROPS_PER_UNIT, REFILL_MS = 60000, 60000

local now = tonumber(ARGV[1])
if not now then
  local time = redis.call('TIME')
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

local function refill(stored, capacity_of_requests, capacity_of_tokens)
  local full_requests = capacity_of_requests * DROPS_PER_UNIT
  local full_tokens = capacity_of_tokens * DROPS_PER_UNIT
  if not stored then return now, full_requests, full_tokens end
  local at, requests, tokens = struct.unpack('<ddd', stored)
  local elapsed = math.min(math.max(0, now - at), REFILL_MS)
  return math.max(now, at),
    math.min(full_requests, requests + elapsed * capacity_of_requests),
    math.min(full_tokens, tokens + elapsed * capacity_of_tokens)
end

local found = { struct.pack('<d', now) }
for call = 1, #ARGV - 1 do
  local key_record, org_record = KEYS[call * 2 - 1], KEYS[call * 2]
  local key_rpm, key_tpm, org_rpm, org_tpm, requests, tokens =
    string.match(ARGV[call + 1], '${BUCKET_ARGUMENT_PATTERN}')

  local stored = redis.call('MGET', key_record, org_record)
  local key_at, key_requests, key_tokens = refill(stored[1], key_rpm, key_tpm)
  local org_at, org_requests, org_tokens = refill(stored[2], org_rpm, org_tpm)
  found[call + 1] = struct.pack('<dddddd', key_at, key_requests, key_tokens, org_at, org_requests, org_tokens)

  requests, tokens = requests * DROPS_PER_UNIT, tokens * DROPS_PER_UNIT
  if math.min(key_requests, org_requests) < requests or math.min(key_tokens, org_tokens) < tokens then
    requests, tokens = 0, 0
  end
  redis.call('SET', key_record,
    struct.pack('<ddd', key_at, key_requests - requests, key_tokens - tokens), 'PX', REFILL_MS)
  redis.call('SET', org_record,
    struct.pack('<ddd', org_at, org_requests - requests, org_tokens - tokens), 'PX', REFILL_MS)
end
return table.concat(found)
`);
