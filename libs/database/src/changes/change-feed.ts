import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type Client } from 'pg';
import { type Logger } from '@svc/runtime/observability';
import { type Database } from '../database/database';
import { ANYTHING, type Change, changeIn } from './change';

const LISTEN = 'LISTEN svc_changes';
const LISTEN_EVERY_MS = 5_000;
const BACKOFF_FIRST_MS = 100;
const BACKOFF_MAX_MS = 5_000;
const backoffMs = (failures: number): number => Math.min(BACKOFF_FIRST_MS * 2 ** failures, BACKOFF_MAX_MS);

export interface ChangeFeedOptions {
  readonly database: Database;
  readonly logger: Logger;
  /** Called for each change, once it is committed and visible to new queries. Must not throw. */
  readonly tell: (change: Change) => void;
  /** How often the connection is checked. One that died silently is replaced after twice as long. */
  readonly listenEveryMs?: number;
  /** The wait before the next connect, after so many failures. */
  readonly backoffMs?: (failures: number) => number;
}

/**
 * Reports committed changes of all processes, over a connection of its own. While the connection is down it reports
 * nothing. After each connect, the first included, it reports that anything may have changed. So a listener misses no
 * change for good, but may learn of it late.
 */
export class ChangeFeed {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private failureCount = 0;

  constructor(private readonly options: ChangeFeedOptions) {}

  /** Connects in the background, for as long as it takes. */
  start(): void {
    this.running = this.run();
  }

  /** Once it resolves, no change is reported. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const failure = await this.listen().catch((error: unknown) => error);
      if (signal.aborted) return;
      this.options.logger.warn({ err: failure }, 'change feed down; caches fall back to their TTL');
      const delayMs = (this.options.backoffMs ?? backoffMs)(this.failureCount++);
      await wait(delayMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Resolves when the connection has ended, and rejects with what broke it. */
  private async listen(): Promise<void> {
    const client = await this.options.database.connectAlone();
    client.on('notification', ({ payload }) => {
      this.tell(changeIn(payload));
    });
    const listening = this.keepListening(client);
    try {
      await once(client, 'end', { signal: this.stopping.signal });
    } finally {
      clearInterval(listening);
      void client.end();
    }
  }

  /** A repeated LISTEN changes nothing, and shows whether the server still answers. */
  private keepListening(client: Client): NodeJS.Timeout {
    let isAnswered = true;
    let hasListened = false;
    const listen = () => {
      if (!isAnswered) return void client.end();
      isAnswered = false;
      client.query(LISTEN).then(
        () => {
          isAnswered = true;
          // Reset only at the second answer. Otherwise a server that drops every connection would be called ten times a
          // second.
          if (hasListened) this.failureCount = 0;
          else this.tell(ANYTHING);
          hasListened = true;
        },
        () => void client.end(),
      );
    };
    listen();
    return setInterval(listen, this.options.listenEveryMs ?? LISTEN_EVERY_MS);
  }

  private tell(change: Change): void {
    if (!this.stopping.signal.aborted) this.options.tell(change);
  }
}
