import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@svc/testing';
import { openSession, rowsOf } from './database-session';
import { type OwnServers } from './real-servers';

const LOOKS = 10;
const LOOK_EVERY_MS = 50;

/** Ends a fault, once. */
export type EndFault = () => Promise<void>;

/** Makes all new transactions read-only, in any session: like a demoted primary, or one whose disk is full. */
export async function makeReadOnly({ databaseUrl }: OwnServers): Promise<EndFault> {
  const session = await openSession(databaseUrl);
  await session.query('SET default_transaction_read_only = off');
  const set = async (value: 'on' | 'off') => {
    await session.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await session.query('SELECT pg_reload_conf()');
    await eventually(async () => {
      const rows = await rowsOf(
        databaseUrl,
        "SELECT current_setting('default_transaction_read_only') AS value",
      );
      expect(rows).toEqual([{ value }]);
    });
  };
  await set('on');
  return async () => {
    await set('off');
    await session.end();
  };
}

/** Pauses every process of the server: it accepts connections, and answers nothing. */
export async function pauseDatabase({ databaseUrl, pidOf }: OwnServers): Promise<EndFault> {
  const session = await openSession(databaseUrl);
  const server = await pidOf('postgresql');
  // First, so that it starts no more processes.
  signal(server, 'SIGSTOP');
  const stopped = new Set<number>();
  // A session that is just being opened is listed a moment later.
  for (let look = 0; look < LOOKS; look++) {
    const { rows } = await session.query<{ pid: number }>(
      'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()',
    );
    for (const { pid } of rows) {
      signal(pid, 'SIGSTOP');
      stopped.add(pid);
    }
    await pause(LOOK_EVERY_MS);
  }
  return async () => {
    for (const pid of [...stopped, server]) signal(pid, 'SIGCONT');
    await session.end();
  };
}

/** Locks an organization's wallet in a transaction that stays open. */
export async function lockWallet(databaseUrl: string, organizationId: string): Promise<EndFault> {
  const session = await openSession(databaseUrl);
  await session.query('BEGIN');
  const lock = 'SELECT FROM wallets WHERE organization_id = $1 FOR UPDATE';
  expect((await session.query(lock, [organizationId])).rowCount).toBe(1);
  return async () => {
    await session.query('COMMIT');
    await session.end();
  };
}

interface Storm {
  /** The prefix of `application_name` of the sessions. */
  readonly applicationName: string;
  readonly everyMs: number;
  readonly forMs: number;
}

/** Cancels all statements of these sessions, again and again. */
export async function cancelStatements(
  databaseUrl: string,
  { applicationName, everyMs, forMs }: Storm,
): Promise<void> {
  const session = await openSession(databaseUrl);
  const untilMs = performance.now() + forMs;
  while (performance.now() < untilMs) {
    await session.query(
      'SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE starts_with(application_name, $1)',
      [applicationName],
    );
    await pause(everyMs);
  }
  await session.end();
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just exited.
  }
}
