import { admit, refuseWhatNeverFits, type Admission, type Bucket, type BucketDemand } from '@svc/inference';
import { type Clock, GatewayError } from '@svc/kernel';
import { type RedisConnection } from '../connection/redis-connection';
import { giveBackScript } from './give-back-script';
import { takeScript } from './take-script';

/** Whose buckets a call draws on; `buckets` as `bucketsFor` lists them: the key's two, the organization's two. */
export interface BucketHolders {
  readonly organizationId: string;
  readonly apiKeyId: string;
  readonly buckets: readonly Bucket[];
}

/**
 * The four buckets in Redis: exact for any number of gateways, on the clock of the Redis server, which they share
 * (interface.md, Limits; contract.md section 11).
 */
export class RedisBuckets {
  /** @param clock instead of the server's, for tests */
  constructor(
    private readonly redis: RedisConnection,
    private readonly clock: Clock | null = null,
  ) {}

  /**
   * Takes the demand out of all four or out of none, in one round trip.
   * @throws GatewayError `invalidRequest` when the demand is above a capacity; `overloaded` when Redis does not
   * answer in time: nothing is let through uncounted. Should Redis have counted such a call, it refills in a minute.
   */
  async take(holders: BucketHolders, demand: BucketDemand): Promise<Admission> {
    const { buckets } = holders;
    refuseWhatNeverFits(buckets, demand);
    const nowMs = this.clock?.now() ?? '';
    const found = await this.redis
      .evaluate(takeScript, recordsOf(holders), [...argumentsOf(buckets, demand), nowMs])
      .catch((cause: unknown) => {
        throw new GatewayError(
          'overloaded',
          'The rate limits cannot be checked at the moment. Nothing was sent or charged. Please retry.',
          { cause },
        );
      });
    return admissionFrom(found as FoundLevels, buckets, demand);
  }

  /**
   * Returns the demand of an admitted call that a later step refused (contract.md section 5).
   * @throws Error when Redis does not answer
   */
  async giveBack(holders: BucketHolders, demand: BucketDemand): Promise<void> {
    await this.redis.evaluate(giveBackScript, recordsOf(holders), argumentsOf(holders.buckets, demand));
  }
}

/** What the take script returns. Times in ms, levels in drops. */
type FoundLevels = readonly [
  nowMs: number,
  keyUpdatedAtMs: number,
  keyRequests: number,
  keyTokens: number,
  organizationUpdatedAtMs: number,
  organizationRequests: number,
  organizationTokens: number,
];

function admissionFrom(found: FoundLevels, buckets: readonly Bucket[], demand: BucketDemand): Admission {
  const [nowMs, keyAtMs, keyRequests, keyTokens, organizationAtMs, organizationRequests, organizationTokens] =
    found;
  const states = [
    { level: keyRequests, updatedAtMs: keyAtMs },
    { level: keyTokens, updatedAtMs: keyAtMs },
    { level: organizationRequests, updatedAtMs: organizationAtMs },
    { level: organizationTokens, updatedAtMs: organizationAtMs },
  ];
  return admit(buckets, states, demand, nowMs);
}

/** One hash tag an organization: its records share a slot of a Redis Cluster, where scripts must stay. */
function recordsOf({ organizationId, apiKeyId }: BucketHolders): string[] {
  const organizationRecord = `svc:{${organizationId}}:buckets`;
  return [`${organizationRecord}:${apiKeyId}`, organizationRecord];
}

const argumentsOf = (buckets: readonly Bucket[], demand: BucketDemand): number[] => [
  ...buckets.map(({ capacity }) => capacity),
  demand.requests,
  demand.tokens,
];
