import { DROPS_PER_UNIT, fullLevel, secondsUntil, type Bucket, type BucketState } from './bucket';

/**
 * `X-RateLimit-*` of the bucket that rejected the call, else of the binding one: the smallest remaining / limit,
 * the first listed where equal (interface.md, Limits, rule 3; contract.md section 11).
 * @param states as {@link admit} returned them, in the order of the buckets
 */
export function limitHeaders(
  buckets: readonly Bucket[],
  states: readonly BucketState[],
  rejected: Bucket | null = null,
): Record<string, string> {
  const standings = buckets.flatMap((bucket, at) => {
    const state = states[at];
    return state === undefined ? [] : [{ bucket, state, headroom: state.level / fullLevel(bucket) }];
  });
  const described =
    standings.find(({ bucket }) => bucket === rejected) ??
    standings.toSorted((a, b) => a.headroom - b.headroom)[0];
  if (described === undefined) return {};
  const { bucket, state } = described;
  return {
    'X-RateLimit-Limit': String(bucket.capacity),
    'X-RateLimit-Remaining': String(Math.floor(state.level / DROPS_PER_UNIT)),
    'X-RateLimit-Reset': String(secondsUntil(bucket, state, fullLevel(bucket))),
    'X-RateLimit-Scope': bucket.scope,
  };
}
