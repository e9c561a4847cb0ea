import { admit, refuseWhatNeverFits, type Admission, type Bucket, type BucketDemand } from '@svc/inference';
import { type Clock, GatewayError } from '@svc/kernel';
import { AdaptiveBatch } from '@svc/platform';
import { type RedisConnection } from '../connection/redis-connection';
import { bucketArgument } from './bucket-argument';
import { giveBackScript } from './give-back-script';
import { takeScript } from './take-script';

/** Whose buckets a call draws on; `buckets` as `bucketsFor` lists them: the key's two, the organization's two. */
export interface BucketHolders {
  readonly organizationId: string;
  readonly apiKeyId: string;
  readonly buckets: readonly Bucket[];
}

/** One call's demand of the four buckets of its holders. */
interface Take {
  readonly holders: BucketHolders;
  readonly demand: BucketDemand;
}

/** Calls that one script takes for: few enough that it holds Redis up for less than a millisecond. */
const TAKES_MAX = 64;
/** What the take script finds of a call: two records of three doubles. */
const FOUND_BYTES = 2 * 3 * 8;

/**
 * The four buckets in Redis: exact for any number of gateways, on the clock of the Redis server, which they share
 * (interface.md, Limits; contract.md section 11). Calls that come while a script is under way share the next one.
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
   * @throws GatewayError `invalidRequest` when the demand is above a capacity; `overloaded` when Redis does not
   * answer in time: nothing is let through uncounted. Should Redis have counted such a call, it refills in a minute.
   */
  async take(holders: BucketHolders, demand: BucketDemand): Promise<Admission> {
    refuseWhatNeverFits(holders.buckets, demand);
    return this.takes.add({ holders, demand });
  }

  /**
   * Returns the demand of an admitted call that a later step refused (contract.md section 5).
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

/** Reads what the take script found of one of its calls. */
function admissionFrom(
  found: Buffer,
  call: number,
  buckets: readonly Bucket[],
  demand: BucketDemand,
): Admission {
  const nowMs = found.readDoubleLE(0);
  const first = 8 + call * FOUND_BYTES;
  const number = (at: number): number => found.readDoubleLE(first + at * 8);
  const states = [
    { level: number(1), updatedAtMs: number(0) },
    { level: number(2), updatedAtMs: number(0) },
    { level: number(4), updatedAtMs: number(3) },
    { level: number(5), updatedAtMs: number(3) },
  ];
  return admit(buckets, states, demand, nowMs);
}

/** One hash tag an organization: its two records stand together wherever keys are spread over servers. */
function recordsOf({ organizationId, apiKeyId }: BucketHolders): string[] {
  const organizationRecord = `svc:{${organizationId}}:buckets`;
  return [`${organizationRecord}:${apiKeyId}`, organizationRecord];
}
