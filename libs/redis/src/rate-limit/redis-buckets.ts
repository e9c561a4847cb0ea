import { admit, refuseOversizedDemand, type Admission, type Bucket, type BucketDemand } from '@svc/limits';
import { type Clock, GatewayError } from '@svc/kernel';
import { AdaptiveBatch } from '@svc/runtime';
import { type RedisConnection } from '../connection/redis-connection';
import { bucketArgument } from './bucket-argument';
import { giveBackScript } from './give-back-script';
import { takeScript } from './take-script';

/** The owners of a call's buckets. `buckets` in the order of `bucketsFor`: the key's two, the organization's two. */
export interface BucketHolders {
  readonly organizationId: string;
  readonly apiKeyId: string;
  readonly buckets: readonly Bucket[];
}

/** One call's demand on the four buckets of its holders. */
interface Take {
  readonly holders: BucketHolders;
  readonly demand: BucketDemand;
}

/** The most calls per script run: few enough to block Redis for less than a millisecond. */
const TAKES_MAX = 64;
/** Bytes of the take script's result per call: two records of two doubles. */
const FOUND_BYTES = 2 * 2 * 8;

/**
 * The four buckets in Redis: exact for any number of gateways, on the clock of the Redis server, which they share
 * (docs/reference/limits-and-budgets.md#the-four-buckets). Calls that come while a script is running share the next
 * one.
 */
export class RedisBuckets {
  private readonly takes = new AdaptiveBatch((takes: readonly Take[]) => this.takeTogether(takes), {
    itemsMax: TAKES_MAX,
  });

  /** @param clock instead of the server's, for tests */
  constructor(
    private readonly redis: RedisConnection,
    private readonly clock: Clock | null = null,
  ) {}

  /**
   * Takes the demand out of all four or out of none, in one round trip.
   * @throws GatewayError `invalidRequest` when the demand is above a capacity; `overloaded` when Redis does not answer
   * in time: no call passes uncounted. If Redis did count such a call, the buckets refill within a minute.
   */
  async take(holders: BucketHolders, demand: BucketDemand): Promise<Admission> {
    refuseOversizedDemand(holders.buckets, demand);
    return this.takes.add({ holders, demand });
  }

  /**
   * Returns the demand of an admitted call that a later step refused
   * (docs/reference/limits-and-budgets.md#the-four-buckets).
   * @throws Error when Redis does not answer
   */
  async giveBack(holders: BucketHolders, demand: BucketDemand): Promise<void> {
    await this.redis.evaluate(giveBackScript, recordsOf(holders), [bucketArgument(holders.buckets, demand)]);
  }

  private async takeTogether(takes: readonly Take[]): Promise<readonly Admission[]> {
    const nowMs = String(this.clock?.now() ?? '');
    const found = await this.redis
      .evaluate(
        takeScript,
        takes.flatMap(({ holders }) => recordsOf(holders)),
        [nowMs, ...takes.map(({ holders, demand }) => bucketArgument(holders.buckets, demand))],
      )
      .catch((cause: unknown) => {
        throw new GatewayError(
          'overloaded',
          'The rate limits cannot be checked at the moment. Nothing was sent or charged. Please retry.',
          { cause },
        );
      });
    return takes.map(({ holders, demand }, at) =>
      admissionFrom(found as Buffer, at, holders.buckets, demand),
    );
  }
}

/** Reads the take script's result for one of its calls. */
function admissionFrom(
  found: Buffer,
  call: number,
  buckets: readonly Bucket[],
  demand: BucketDemand,
): Admission {
  const nowMs = found.readDoubleLE(0);
  const first = 8 + call * FOUND_BYTES;
  const states = [0, 1, 2, 3].map((at) => ({
    level: found.readDoubleLE(first + at * 8),
    updatedAtMs: nowMs,
  }));
  return admit(buckets, states, demand, nowMs);
}

/** One hash tag per organization keeps both records in the same slot of a cluster. */
function recordsOf({ organizationId, apiKeyId }: BucketHolders): string[] {
  const organizationRecord = `svc:{${organizationId}}:buckets`;
  return [`${organizationRecord}:${apiKeyId}`, organizationRecord];
}
