import { luaScript } from '../connection/lua-script';
import { BUCKET_ARGUMENT_PATTERN, BUCKET_GROUP_PATTERN } from './bucket-argument';

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
 * The affinity entries that some of the calls ask for are read in the same round trip.
 *
 * KEYS  for each call: the records of the API key, of the organization, and of each group (at most three); then the affinity
 *       entries, which most calls have none of
 * ARGV  first the time in ms, empty for the server's own; then for each call its buckets in the form of `bucketArgument`
 * Returns  doubles: the server's time; of each call, of each of its records: requests, tokens, in drops, before anything
 *       was taken; then of each affinity entry its length in 4 bytes and its text, of length 0 where there is none
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
  if not stored then return full_requests, full_tokens end
  local at, requests, tokens = struct.unpack('<ddd', stored)
  local elapsed = math.min(math.max(0, now - at), REFILL_MS)
  return math.min(full_requests, requests + elapsed * capacity_of_requests),
    math.min(full_tokens, tokens + elapsed * capacity_of_tokens)
end

local function write(record, requests, tokens)
  redis.call('SET', record, struct.pack('<ddd', now, requests, tokens), 'PX', REFILL_MS)
end

local found = { struct.pack('<d', now) }

-- Most calls have no groups, so only those that do pay for these tables.
local function levels_of_groups(groups, first)
  local levels = {}
  for capacity_of_requests, capacity_of_tokens in string.gmatch(groups, '${BUCKET_GROUP_PATTERN}') do
    local requests, tokens = refill(redis.call('GET', KEYS[first + #levels]), capacity_of_requests, capacity_of_tokens)
    levels[#levels + 1] = { requests = requests, tokens = tokens }
    found[#found + 1] = struct.pack('<dd', requests, tokens)
  end
  return levels
end

local first = 1
for call = 2, #ARGV do
  local key_rpm, key_tpm, org_rpm, org_tpm, requests, tokens, groups =
    string.match(ARGV[call], '${BUCKET_ARGUMENT_PATTERN}')
  local key_record, org_record = KEYS[first], KEYS[first + 1]
  first = first + 2

  local stored = redis.call('MGET', key_record, org_record)
  local key_requests, key_tokens = refill(stored[1], key_rpm, key_tpm)
  local org_requests, org_tokens = refill(stored[2], org_rpm, org_tpm)
  found[#found + 1] = struct.pack('<dddd', key_requests, key_tokens, org_requests, org_tokens)
  local left_requests, left_tokens = math.min(key_requests, org_requests), math.min(key_tokens, org_tokens)

  local levels
  if groups ~= '' then
    levels = levels_of_groups(groups, first)
    for _, level in ipairs(levels) do
      left_requests, left_tokens = math.min(left_requests, level.requests), math.min(left_tokens, level.tokens)
    end
  end

  requests, tokens = requests * DROPS_PER_UNIT, tokens * DROPS_PER_UNIT
  if left_requests < requests or left_tokens < tokens then requests, tokens = 0, 0 end
  write(key_record, key_requests - requests, key_tokens - tokens)
  write(org_record, org_requests - requests, org_tokens - tokens)
  if levels then
    for index, level in ipairs(levels) do
      write(KEYS[first + index - 1], level.requests - requests, level.tokens - tokens)
    end
    first = first + #levels
  end
end
for entry = first, #KEYS do
  local text = redis.call('GET', KEYS[entry]) or ''
  found[#found + 1] = struct.pack('<I4', #text) .. text
end
return table.concat(found)
`);
