import { type Clock } from '@svc/kernel';
import { type Logger, systemClock } from '@svc/platform';
import { type Database } from '../database/database';

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
  private readonly logger: Logger;
  private readonly clock: Clock;
  private readonly writeEveryMs: number;
  /** Unix milliseconds of each key's last use since the last write. */
  private uses = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private nextWriteAtMs = 0;
  private isStopped = false;

  constructor({
    database,
    logger,
    clock = systemClock,
    writeEveryMs = WRITE_EVERY_MS,
  }: KeyUseRecorderOptions) {
    this.database = database;
    this.logger = logger;
    this.clock = clock;
    this.writeEveryMs = writeEveryMs;
  }

  /** Notes that the key is used now. It is on the path of every call, and costs only a map entry. */
  readonly note = (keyId: string): void => {
    if (this.uses.size >= KEYS_MAX && !this.uses.has(keyId)) return;
    this.uses.set(keyId, this.clock.now());
    if (this.timer === undefined && !this.isStopped) this.schedule();
  };

  /** Writes the noted uses a last time. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.writing;
    await this.write();
  }

  private schedule(): void {
    const earliestMs = Math.min(FIRST_WRITE_AFTER_MS, this.writeEveryMs);
    const delayMs = Math.max(earliestMs, this.nextWriteAtMs - performance.now());
    this.timer = setTimeout(() => {
      this.nextWriteAtMs = performance.now() + this.writeEveryMs;
      this.writing = this.write().finally(() => {
        this.timer = undefined;
        if (this.uses.size > 0 && !this.isStopped) this.schedule();
      });
    }, delayMs).unref();
  }

  /** Never throws. Uses that could not be written are noted again, unless the key has a later one. */
  private async write(): Promise<void> {
    const { uses } = this;
    if (uses.size === 0) return;
    this.uses = new Map();
    try {
      await this.update([...uses.keys()], [...uses.values()]);
    } catch (error) {
      this.logger.warn({ err: error }, 'last uses of API keys not written');
      for (const [keyId, atMs] of uses) if (!this.uses.has(keyId)) this.uses.set(keyId, atMs);
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
