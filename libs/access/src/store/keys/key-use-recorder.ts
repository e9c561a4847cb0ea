import { type Database } from '@svc/database';
import { type Clock } from '@svc/kernel';
import { systemClock, WriteBehind } from '@svc/runtime';
import { type Logger } from '@svc/runtime/observability';

const WRITE_EVERY_MS = 60_000;
/** The delay of the first write after a quiet minute. It lets the keys of a burst be written together. */
const FIRST_WRITE_AFTER_MS = 1_000;
/** The most keys noted between two writes. Uses of further keys are dropped. */
const KEYS_MAX = 100_000;

interface KeyUseRecorderOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly clock?: Clock;
  readonly writeEveryMs?: number;
}

/**
 * Keeps `last_used_at` of API keys without a write per request: uses are noted in memory, and written once a minute in
 * one statement. A process that dies loses up to a minute of them.
 */
export class KeyUseRecorder {
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly writeEveryMs: number;
  /** Unix milliseconds of each key's last use since the last write. */
  private uses = new Map<string, number>();
  private nextWriteAtMs = 0;
  private readonly behind: WriteBehind;

  constructor({
    database,
    logger,
    clock = systemClock,
    writeEveryMs = WRITE_EVERY_MS,
  }: KeyUseRecorderOptions) {
    this.database = database;
    this.clock = clock;
    this.writeEveryMs = writeEveryMs;
    this.behind = new WriteBehind({
      what: 'last uses of API keys',
      logger,
      delayMs: () => this.delayMs(),
      isWaiting: () => this.uses.size > 0,
      write: () => this.write(),
    });
  }

  /** Notes that the key is used now. It is on the path of every call, and costs only a map entry. */
  readonly note = (keyId: string): void => {
    if (this.uses.size >= KEYS_MAX && !this.uses.has(keyId)) return;
    this.uses.set(keyId, this.clock.now());
    this.behind.wake();
  };

  /** Writes the noted uses a last time. */
  stop(): Promise<void> {
    return this.behind.stop();
  }

  private delayMs(): number {
    const earliestMs = Math.min(FIRST_WRITE_AFTER_MS, this.writeEveryMs);
    return Math.max(earliestMs, this.nextWriteAtMs - performance.now());
  }

  /** Uses that could not be written are noted again, unless the key has a later one. */
  private async write(): Promise<void> {
    this.nextWriteAtMs = performance.now() + this.writeEveryMs;
    const { uses } = this;
    if (uses.size === 0) return;
    this.uses = new Map();
    try {
      await this.update([...uses.keys()], [...uses.values()]);
    } catch (error) {
      for (const [keyId, atMs] of uses) if (!this.uses.has(keyId)) this.uses.set(keyId, atMs);
      throw error;
    }
  }

  /** Locks keys in the order of their ids, so that two processes that write at once do not deadlock. */
  private async update(keyIds: readonly string[], timesMs: readonly number[]): Promise<void> {
    await this.database.pool.query({
      name: 'record_key_uses',
      text: `WITH used AS (
               SELECT k.id, u.at FROM api_keys k
               JOIN unnest($1::text[], $2::timestamptz[]) AS u (id, at) ON u.id = k.id
               WHERE k.last_used_at IS NULL OR k.last_used_at < u.at
               ORDER BY k.id FOR NO KEY UPDATE OF k
             )
             UPDATE api_keys k SET last_used_at = greatest(k.last_used_at, used.at)
             FROM used WHERE k.id = used.id`,
      values: [keyIds, timesMs.map((ms) => new Date(ms))],
    });
  }
}
