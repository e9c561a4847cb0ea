import { GatewayError } from '@svc/kernel';

import {
  DROPS_PER_UNIT,
  fullLevel,
  refill,
  secondsUntil,
  type Bucket,
  type BucketDemand,
  type BucketState,
} from './bucket';

/** `states` stand in the order of the buckets and are those to store; a refusal took nothing out of them. */
export type Admission =
  | { readonly admitted: true; readonly states: readonly BucketState[] }
  | {
      readonly admitted: false;
      readonly states: readonly BucketState[];
      /** The bucket that takes longest until the call fits. */
      readonly rejected: Bucket;
      readonly retryAfterSeconds: number;
    };

/**
 * Takes the demand out of all buckets or out of none (interface.md, Limits, rule 1).
 * @param states in the order of the buckets; null for a bucket never used
 * @throws GatewayError `invalidRequest` when the demand is above a capacity
 */
export function admit(
  buckets: readonly Bucket[],
  states: readonly (BucketState | null)[],
  demand: BucketDemand,
  nowMs: number,
): Admission {
  refuseWhatNeverFits(buckets, demand);
  const refilled: BucketState[] = [];
  const left: BucketState[] = [];
  let rejected: Bucket | null = null;
  let retryAfterSeconds = 0;
  for (let at = 0; at < buckets.length; at++) {
    const bucket = buckets[at] as Bucket;
    const state = refill(bucket, states[at] ?? null, nowMs);
    const drops = dropsOf(bucket, demand);
    refilled.push(state);
    left.push({ level: state.level - drops, updatedAtMs: state.updatedAtMs });
    const waitSeconds = secondsUntil(bucket, state, drops);
    if (waitSeconds <= retryAfterSeconds) continue;
    rejected = bucket;
    retryAfterSeconds = waitSeconds;
  }
  if (rejected !== null) return { admitted: false, states: refilled, rejected, retryAfterSeconds };
  return { admitted: true, states: left };
}

/**
 * Returns the demand of an admitted call that a later step refused (contract.md section 5). Needs no time:
 * what is put back before a refill or after it gives the same level.
 */
export function giveBack(
  buckets: readonly Bucket[],
  states: readonly BucketState[],
  demand: BucketDemand,
): readonly BucketState[] {
  return states.map((state, at) => {
    const bucket = buckets[at];
    if (bucket === undefined) return state;
    const level = Math.min(fullLevel(bucket), state.level + dropsOf(bucket, demand));
    // The limit may have been raised since the call was admitted under `bucket`.
    return { ...state, level: Math.max(state.level, level) };
  });
}

/** @throws GatewayError `invalidRequest`: waiting would not help (contract.md section 11) */
export function refuseWhatNeverFits(buckets: readonly Bucket[], demand: BucketDemand): void {
  for (const bucket of buckets) if (demand[bucket.unit] > bucket.capacity) throw neverFits(bucket, demand);
}

function neverFits(bucket: Bucket, demand: BucketDemand): GatewayError {
  const { unit, capacity } = bucket;
  return new GatewayError(
    'invalidRequest',
    `The call is estimated at ${String(demand[unit])} ${unit}, more than the ${ownerOf(bucket)}'s limit of ` +
      `${String(capacity)} ${unit} per minute: it could never fit. Lower max_output_tokens or shorten the prompt.`,
    { param: 'max_output_tokens' },
  );
}

/** The 429 of a refused admission (interface.md, Limits, rule 2). */
export function rateLimitError(rejected: Bucket, retryAfterSeconds: number): GatewayError {
  const { unit, capacity } = rejected;
  return new GatewayError(
    'rateLimit',
    `The ${ownerOf(rejected)}'s limit of ${String(capacity)} ${unit} per minute is used up. ` +
      `Retry in ${String(retryAfterSeconds)} s.`,
    { param: unit, retryAfterMs: retryAfterSeconds * 1000 },
  );
}

const dropsOf = (bucket: Bucket, demand: BucketDemand): number => demand[bucket.unit] * DROPS_PER_UNIT;

const ownerOf = (bucket: Bucket): string => (bucket.scope === 'key' ? 'API key' : 'organization');
