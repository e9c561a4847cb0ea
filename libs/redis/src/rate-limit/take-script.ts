import { luaScript } from '../connection/lua-script';

/**
 * The twin of `refill` and of what `admit` takes (libs/inference): all buckets or none. It returns what it found
 * and leaves it to `admit` to say what that means, so that waits and headers have one source.
 *
 * A holder's two buckets are always judged together, hence one record of 24 bytes: when, requests, tokens.
 * A record is written even by a refusal, as the rule does: a limit changed later counts from then on only. It
 * expires when any bucket would be full whatever its limit has become by then.
 *
 * Exact: every number is whole, and the largest is a full bucket and a minute's refill, 2 * 60 000 * capacity:
 * below 2^53, where doubles stop being exact, for capacities up to 7.5e10; a stored limit ends at 2^31.
 *
 * KEYS  records of the API key and of the organization
 * ARGV  1-4 capacities: requests and tokens of the key, of the organization; 5-6 demand: requests, tokens;
 *       7 the time in ms, empty for the server's own
 * Returns  the server's time; of each record: when, requests, tokens, in drops, before anything was taken
 */
export const takeScript = luaScript(`
local DROPS_PER_UNIT, REFILL_MS = 60000, 60000

local now = tonumber(ARGV[7])
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

local stored = redis.call('MGET', KEYS[1], KEYS[2])
local key_at, key_requests, key_tokens = refill(stored[1], tonumber(ARGV[1]), tonumber(ARGV[2]))
local org_at, org_requests, org_tokens = refill(stored[2], tonumber(ARGV[3]), tonumber(ARGV[4]))
local found = { now, key_at, key_requests, key_tokens, org_at, org_requests, org_tokens }

local requests, tokens = ARGV[5] * DROPS_PER_UNIT, ARGV[6] * DROPS_PER_UNIT
if math.min(key_requests, org_requests) < requests or math.min(key_tokens, org_tokens) < tokens then
  requests, tokens = 0, 0
end

local function store(record, at, level_of_requests, level_of_tokens)
  local packed = struct.pack('<ddd', at, level_of_requests - requests, level_of_tokens - tokens)
  redis.call('SET', record, packed, 'PX', REFILL_MS)
end
store(KEYS[1], key_at, key_requests, key_tokens)
store(KEYS[2], org_at, org_requests, org_tokens)
return found
`);
