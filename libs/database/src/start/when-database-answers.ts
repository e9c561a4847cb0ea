import { awaitServer } from '@svc/runtime';
import { type Logger } from '@svc/runtime/observability';
import { type Database } from '../database/database';
import { judgeFailedStart } from './judge-failed-start';

/** The server of a starting process. */
export type StartServer = ({ readonly url: string } | { readonly database: Database }) & {
  readonly logger: Pick<Logger, 'warn'>;
  /** For tests. */
  readonly timeoutMs?: number;
};

/**
 * Runs the part of a start that needs PostgreSQL. Retries for a minute while it is unavailable or too slow.
 * @param work may run any number of times.
 * @throws Error in one line that names SVC_DATABASE_URL: at once for a wrong password, an unknown database or refused
 * TLS.
 */
export function whenDatabaseAnswers<T>(server: StartServer, work: () => Promise<T>): Promise<T> {
  const url = 'url' in server ? server.url : (server.database.pool.options.connectionString ?? '');
  const patience = server.timeoutMs === undefined ? {} : { timeoutMs: server.timeoutMs };
  return awaitServer(
    {
      ...patience,
      ...{ kind: 'PostgreSQL', variable: 'SVC_DATABASE_URL', url },
      ...{ logger: server.logger, judge: judgeFailedStart },
    },
    work,
  );
}
