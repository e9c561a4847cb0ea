import { type Logger } from '@svc/platform';
import { Redis } from 'ioredis';
import { RedisConnection } from './redis-connection';

export interface RedisOptions {
  /** `redis://` or `rediss://`. */
  readonly url: string;
  readonly logger: Logger;
}

/** A connection silent for this long is given up: TCP alone would take a quarter of an hour to notice. */
const SILENCE_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
const DISCONNECT_TIMEOUT_MS = 250;
const RECONNECT_DELAY_MAX_MS = 1_000;
/** What an end of the connection is called that came without an error. */
const CLOSED = 'the connection was closed';

/**
 * Connects, and stays connected until closed.
 * @throws Error in one line when Redis does not answer at the first try: a start should fail, not serve refusals.
 */
export async function openRedis({ url, logger }: RedisOptions): Promise<RedisConnection> {
  let isOpen = false;
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_MS,
    // A command either runs now or fails now. One kept for later would take its toll twice, or long after its call.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (tries) => (isOpen ? Math.min(2 ** tries * 10, RECONNECT_DELAY_MAX_MS) : null),
    // After a failover the old primary still answers, as a replica; a new connection finds the new primary.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  });
  let reason = CLOSED;
  // Only the message: the error of a refused login carries the password among its arguments.
  client.on('error', ({ message }: Error) => (reason = message));
  client.on('ready', () => (reason = CLOSED));
  await client.connect().catch(() => {
    throw new Error(`Redis does not answer: ${reason}`);
  });
  isOpen = true;
  logOutages(client, logger, () => reason);
  return new RedisConnection(client);
}

/** Two lines for an outage, however many tries it takes. */
function logOutages(client: Redis, logger: Logger, reason: () => string): void {
  let isAway = false;
  client.on('reconnecting', () => {
    if (!isAway) logger.error({ reason: reason() }, 'redis connection lost');
    isAway = true;
  });
  client.on('ready', () => {
    if (isAway) logger.info('redis connection back');
    isAway = false;
  });
}
