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

/** `states` are to be stored, in the order of the buckets. A refusal takes nothing out of them. */
export type Admission =
  | { readonly admitted: true; readonly states: readonly BucketState[] }
  | {
      readonly admitted: false;
      readonly states: readonly BucketState[];
      /** The bucket with the longest wait until the call fits. */
      readonly rejected: Bucket;
      readonly retryAfterSeconds: number;
    };

/**
 * Takes the demand out of all buckets or out of none (docs/reference/limits-and-budgets.md#the-four-buckets).
 * @param states in the order of the buckets. Null for an unused bucket.
 * @throws GatewayError `invalidRequest` when the demand is above a capacity
 */
export function admit(
  buckets: readonly Bucket[],
  states: readonly (BucketState | null)[],
  demand: BucketDemand,
  nowMs: number,
): Admission {
  refuseOversizedDemand(buckets, demand);
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
 * Returns the demand of an admitted call that a later step refused
 * (docs/reference/limits-and-budgets.md#the-four-buckets). It needs no time: a refund before and after a refill gives
 * the same level.
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

/**
 * @throws GatewayError `invalidRequest` when the demand is above a capacity, because waiting would not help
 * (docs/reference/limits-and-budgets.md#the-token-estimate)
 */
export function refuseOversizedDemand(buckets: readonly Bucket[], demand: BucketDemand): void {
  for (const bucket of buckets)
    if (demand[bucket.unit] > bucket.capacity) throw oversizedDemandError(bucket, demand);
}

function oversizedDemandError(bucket: Bucket, demand: BucketDemand): GatewayError {
  const { unit, capacity } = bucket;
  const [param, remedy] =
    demand.isInputOnly === true
      ? ['input', 'Shorten input.']
      : ['max_output_tokens', 'Lower max_output_tokens or shorten the prompt.'];
  return new GatewayError(
    'invalidRequest',
    `The call is estimated at ${String(demand[unit])} ${unit}, more than the ${ownerOf(bucket)}'s limit of ` +
      `${String(capacity)} ${unit} per minute: it could never fit. ${remedy}`,
    { param },
  );
}

/** The 429 of a refused admission (docs/reference/limits-and-budgets.md#a-refused-call). */
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

const owners: Readonly<Record<Bucket['scope'], string>> = {
  key: 'API key',
  org: 'organization',
  project: 'project',
  end_user: 'end user',
  credential: 'provider credential',
};
const ownerOf = ({ scope }: Bucket): string => owners[scope];
