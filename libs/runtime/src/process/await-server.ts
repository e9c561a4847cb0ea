import { setTimeout as wait } from 'node:timers/promises';
import { type Logger } from '../observability/logger';

/** A server that a start needs. */
interface AwaitedServer {
  /** Its name in log lines. */
  readonly kind: 'PostgreSQL' | 'Redis';
  /** The environment variable with its URL. */
  readonly variable: string;
  readonly url: string;
  readonly logger: Pick<Logger, 'warn'>;
  /** Classifies an error: the server is unreachable or too slow, refuses permanently, or is not the cause. */
  readonly judge: (error: unknown) => 'unreachable' | 'refused' | 'other';
  /** For tests. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 60_000;
const RETRY_DELAY_MS = 500;
const LOG_EVERY_MS = 5_000;

/**
 * Runs the work of a start that needs a server, and retries it for a minute while the server is unreachable: it may be
 * started later, or be slow.
 * @param work may run any number of times. Each run must end within seconds.
 * @throws Error in one line that names the variable, the server and the reason; at once where the server refuses.
 * Errors with another cause are rethrown.
 */
export async function awaitServer<T>(server: AwaitedServer, work: () => Promise<T>): Promise<T> {
  const { kind, variable, logger, judge, timeoutMs = TIMEOUT_MS } = server;
  const address = addressOf(server.url);
  const startedAt = performance.now();
  let loggedAt = -Infinity;
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      const verdict = judge(cause);
      if (verdict === 'other') throw cause;
      const reason = reasonOf(cause);
      if (verdict === 'refused') {
        throw new Error(`${variable}: ${kind} at ${address} refuses: ${reason}`, { cause });
      }
      const now = performance.now();
      if (now - startedAt >= timeoutMs) {
        const seconds = String(Math.round(timeoutMs / 1_000));
        throw new Error(`${variable}: ${kind} at ${address} did not answer for ${seconds} s: ${reason}`, {
          cause,
        });
      }
      if (now - loggedAt >= LOG_EVERY_MS) {
        logger.warn({ server: address, reason }, `waiting for ${kind}`);
        loggedAt = now;
      }
      await wait(RETRY_DELAY_MS);
    }
  }
}

/** Host and port only, because the rest of the URL may be secret. */
function addressOf(url: string): string {
  const { hostname, port, searchParams } = new URL(url);
  const host = hostname === '' ? (searchParams.get('host') ?? 'localhost') : hostname;
  return port === '' ? host : `${host}:${port}`;
}

/** The reason in one line. For a name with several addresses Node.js throws an error without a message. */
function reasonOf(error: unknown): string {
  const { message, code } = error as Partial<NodeJS.ErrnoException>;
  return message?.split('\n', 1)[0] || (code ?? String(error));
}
