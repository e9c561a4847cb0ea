import { type Logger } from '../observability';
import { FILES_READ_EVERY_MS } from './followed-environment';

interface FollowOptions<T> {
  /** Reads environment and files. @throws ConfigError. */
  readonly read: () => T;
  /** As the service began with it. */
  readonly initial: T;
  readonly logger: Pick<Logger, 'error'>;
  readonly readEveryMs?: number;
}

/**
 * The configuration as the files of its secrets have it now, for what can be replaced while the service runs: read again
 * every 10 s. While it is wrong, the last right one stays in effect, and the log says so once.
 */
export function followConfig<T>({ read, initial, logger, readEveryMs }: FollowOptions<T>): () => T {
  let current = initial;
  let problem: string | null = null;
  setInterval(() => {
    try {
      current = read();
      problem = null;
    } catch (error) {
      const { message } = error as Error;
      if (message !== problem)
        logger.error({ err: error }, 'variables not read again; the last ones stay in effect');
      problem = message;
    }
  }, readEveryMs ?? FILES_READ_EVERY_MS).unref();
  return () => current;
}
