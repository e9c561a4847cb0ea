import { type Redis } from 'ioredis';
import { inTime } from './in-time';
import { type LuaScript } from './lua-script';

/** One connection, shared by all calls. While Redis is down every command rejects. It reconnects by itself. */
export class RedisConnection {
  constructor(private readonly client: Redis) {}

  /**
   * Runs a script in one round trip, or two when Redis has not cached it (first use, restart, failover).
   * @returns its answer, a string as its bytes.
   */
  async evaluate(
    { text, sha1 }: LuaScript,
    keys: readonly string[],
    args: readonly string[],
  ): Promise<unknown> {
    try {
      return await inTime(this.client.callBuffer('evalsha', sha1, keys.length, ...keys, ...args));
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return inTime(this.client.callBuffer('eval', text, keys.length, ...keys, ...args));
    }
  }

  /** Sets a key that expires. */
  async set(key: string, value: string, ttlMs: number): Promise<void> {
    await inTime(this.client.set(key, value, 'PX', ttlMs));
  }

  async ping(): Promise<void> {
    await inTime(this.client.ping());
  }

  close(): void {
    this.client.disconnect();
  }
}
