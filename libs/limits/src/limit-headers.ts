import { DROPS_PER_UNIT, fullLevel, secondsUntil, type Bucket, type BucketState } from './bucket';

/**
 * `X-RateLimit-*` of the bucket that refused the call, else of the binding one: the one with the smallest remaining /
 * limit, the first of equals (docs/reference/limits-and-budgets.md#headers).
 * @param states as {@link admit} returned them, in the order of the buckets
 */
export function limitHeaders(
  buckets: readonly Bucket[],
  states: readonly BucketState[],
  rejected: Bucket | null = null,
): Record<string, string> {
  const at = describedAt(buckets, states, rejected);
  const bucket = buckets[at];
  const state = states[at];
  if (bucket === undefined || state === undefined) return {};
  return {
    'X-RateLimit-Limit': String(bucket.capacity),
    'X-RateLimit-Remaining': String(Math.floor(state.level / DROPS_PER_UNIT)),
    'X-RateLimit-Reset': String(secondsUntil(bucket, state, fullLevel(bucket))),
    'X-RateLimit-Scope': bucket.scope,
  };
}

/** The index of the bucket that the headers describe. -1 without any state. */
function describedAt(
  buckets: readonly Bucket[],
  states: readonly BucketState[],
  rejected: Bucket | null,
): number {
  let binding = -1;
  let leastHeadroom = Infinity;
  for (let at = 0; at < buckets.length; at++) {
    const bucket = buckets[at] as Bucket;
    const state = states[at];
    if (state === undefined) continue;
    if (bucket === rejected) return at;
    const headroom = state.level / fullLevel(bucket);
    if (headroom >= leastHeadroom) continue;
    binding = at;
    leastHeadroom = headroom;
  }
  return binding;
}
