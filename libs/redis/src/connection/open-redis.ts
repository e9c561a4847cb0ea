import { awaitServer } from '@svc/runtime';
import { type Logger } from '@svc/runtime/observability';
import { Redis } from 'ioredis';
import { RedisConnection } from './redis-connection';

interface RedisOptions {
  /** `redis://` or `rediss://`. */
  readonly url: string;
  readonly logger: Logger;
  /** For tests. */
  readonly timeoutMs?: number;
}

/** A connection silent for this long is closed: TCP alone takes a quarter of an hour to notice. */
const SILENCE_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
const DISCONNECT_TIMEOUT_MS = 250;
const RECONNECT_DELAY_MAX_MS = 1_000;
/** The reason for a connection that ended without an error. */
const CLOSED = 'the connection was closed';

/** Errors of Redis, or of a proxy before it, for a wrong user or password, and of Node.js for a bad certificate. */
const REFUSALS = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR .*(?:AUTH|password)|.*certificate)/i;

/**
 * Connects, and reconnects until closed. It waits for an unreachable Redis for a minute, then the start fails rather
 * than refuse every call.
 * @throws Error in one line that names SVC_REDIS_URL: at once for a wrong password.
 */
export function openRedis(options: RedisOptions): Promise<RedisConnection> {
  const judge = (error: unknown) => (REFUSALS.test((error as Error).message) ? 'refused' : 'unreachable');
  return awaitServer({ ...options, kind: 'Redis', variable: 'SVC_REDIS_URL', judge }, () => connect(options));
}

async function connect({ url, logger }: RedisOptions): Promise<RedisConnection> {
  let isOpen = false;
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: DISCONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_MS,
    // A command runs now or fails now. A queued or resent one could take the demand twice, or long after its call.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (tries) => (isOpen ? Math.min(2 ** tries * 10, RECONNECT_DELAY_MAX_MS) : null),
    // After a failover the old primary still answers as a replica. A new connection finds the new primary.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
  });
  let reason = CLOSED;
  // Only the message, because the error of a refused login has the password in its arguments.
  client.on('error', ({ message }: Error) => (reason = message));
  client.on('ready', () => (reason = CLOSED));
  await client.connect().catch(() => {
    throw new Error(reason);
  });
  isOpen = true;
  logOutages(client, logger, () => reason);
  return new RedisConnection(client);
}

/** Two log lines per outage, however many reconnects it takes. */
function logOutages(client: Redis, logger: Logger, reason: () => string): void {
  let isDown = false;
  client.on('reconnecting', () => {
    if (!isDown) logger.error({ reason: reason() }, 'redis connection lost');
    isDown = true;
  });
  client.on('ready', () => {
    if (isDown) logger.info('redis connection back');
    isDown = false;
  });
}
