import {
  admit,
  refuseOversizedDemand,
  type Admission,
  type BucketDemand,
  type BucketHolder,
  type BucketState,
} from '@svc/limits';
import { type Clock, GatewayError } from '@svc/kernel';
import { AdaptiveBatch } from '@svc/runtime';
import { type RedisConnection } from '../connection/redis-connection';
import { bucketArgument } from './bucket-argument';
import { giveBackScript } from './give-back-script';
import { takeScript } from './take-script';

/** One call's demand on the buckets of its holders. */
interface Take {
  readonly holders: BucketHolder;
  readonly demand: BucketDemand;
  /** The record of the affinity entry that is read in the same round trip; null for none. */
  readonly entryRecord: string | null;
}

/** The outcome of a take. */
export type Taken = Admission & {
  /** The text of the affinity entry; absent where none was asked for or found. */
  readonly entry?: string;
};

/** The most calls per script run: few enough to block Redis for less than a millisecond. */
const TAKES_MAX = 64;
/** Bytes of the length of an affinity entry in the take script's result. */
const LENGTH_BYTES = 4;
/** Bytes of a level in the take script's result, which has one of each bucket. */
const LEVEL_BYTES = 8;

/**
 * The buckets in Redis: exact for any number of gateways, on the clock of the Redis server, which they share
 * (docs/reference/limits-and-budgets.md#the-four-buckets). Calls that come while a script is running share the next
 * one.
 */
export class RedisBuckets {
  private readonly takes = new AdaptiveBatch<Take, Taken>((takes) => this.takeTogether(takes), {
    itemsMax: TAKES_MAX,
  });

  /** @param clock instead of the server's, for tests */
  constructor(
    private readonly redis: RedisConnection,
    private readonly clock: Clock | null = null,
  ) {}

  /**
   * Takes the demand out of all or out of none, in one round trip.
   * @throws GatewayError `invalidRequest` when the demand is above a capacity; `overloaded` when Redis does not answer
   * in time: no call passes uncounted. If Redis did count such a call, the buckets refill within a minute.
   * @param entryRecord see {@link affinityRecord}
   */
  async take(holders: BucketHolder, demand: BucketDemand, entryRecord: string | null = null): Promise<Taken> {
    refuseOversizedDemand(holders.buckets, demand);
    return this.takes.add({ holders, demand, entryRecord });
  }

  /**
   * Writes an affinity entry.
   * @throws Error when Redis does not answer
   */
  async writeEntry(record: string, text: string, ttlMs: number): Promise<void> {
    await this.redis.set(record, text, ttlMs);
  }

  /**
   * Returns the demand of an admitted call that a later step refused
   * (docs/reference/limits-and-budgets.md#the-four-buckets).
   * @throws Error when Redis does not answer
   */
  async giveBack(holders: BucketHolder, demand: BucketDemand): Promise<void> {
    await this.redis.evaluate(giveBackScript, recordsOf(holders), [bucketArgument(holders.buckets, demand)]);
  }

  private async takeTogether(takes: readonly Take[]): Promise<readonly Taken[]> {
    const nowMs = String(this.clock?.now() ?? '');
    const found = await this.redis
      .evaluate(
        takeScript,
        [...takes.flatMap(({ holders }) => recordsOf(holders)), ...entryRecordsOf(takes)],
        [nowMs, ...takes.map(({ holders, demand }) => bucketArgument(holders.buckets, demand))],
      )
      .catch((cause: unknown) => {
        throw new GatewayError(
          'overloaded',
          'The rate limits cannot be checked at the moment. Nothing was sent or charged. Please retry.',
          { cause },
        );
      });
    return takenFrom(found as Buffer, takes);
  }
}

/** Reads the take script's result. */
function takenFrom(found: Buffer, takes: readonly Take[]): readonly Taken[] {
  let first = LEVEL_BYTES;
  const admissions = takes.map((take) => {
    const admission = admissionFrom(found, first, take);
    first += take.holders.buckets.length * LEVEL_BYTES;
    return admission;
  });
  // Most batches have none.
  if (first === found.length) return admissions;
  return takes.map(({ entryRecord }, at) => {
    const admission = admissions[at] as Admission;
    if (entryRecord === null) return admission;
    const begin = first + LENGTH_BYTES;
    first = begin + found.readUInt32LE(first);
    return first === begin ? admission : { ...admission, entry: found.toString('utf8', begin, first) };
  });
}

const entryRecordsOf = (takes: readonly Take[]): readonly string[] =>
  takes.flatMap(({ entryRecord }) => entryRecord ?? []);

/** The record of an affinity entry, in the same slot of a cluster as the buckets of its organization. */
export const affinityRecord = (organizationId: string, key: string): string =>
  `svc:{${organizationId}}:affinity:${key}`;

/** Reads the take script's result for one of its calls. @param first of the bytes of its levels. */
function admissionFrom(found: Buffer, first: number, { holders: { buckets }, demand }: Take): Admission {
  const nowMs = found.readDoubleLE(0);
  const states: BucketState[] = [];
  for (let at = 0; at < buckets.length; at++) {
    states.push({ level: found.readDoubleLE(first + at * LEVEL_BYTES), updatedAtMs: nowMs });
  }
  return admit(buckets, states, demand, nowMs);
}

/** One hash tag per organization, or per credential, keeps all its records in the same slot of a cluster. */
function recordsOf(holder: BucketHolder): string[] {
  if ('credential' in holder)
    return ['requests', 'tokens'].map((unit) => `svc:{${holder.credential}}:buckets:${unit}`);
  const { organizationId, apiKeyId, groupIds } = holder;
  const organizationRecord = `svc:{${organizationId}}:buckets`;
  const records = [`${organizationRecord}:${apiKeyId}`, organizationRecord];
  if (groupIds !== undefined) records.push(...groupIds.map((id) => `${organizationRecord}:${id}`));
  return records;
}
