import { connect } from 'node:net';
import { type EventRecord } from '@svc/messaging';
import { type Database, openDatabase } from '@svc/database';
import { type DispatcherOptions, startDispatcher } from './start-dispatcher';

/** Where a dispatcher kills itself. */
export type CrashPoint =
  | 'while it claims'
  | 'after a claim'
  | 'when it is connected'
  | 'when it has the answer'
  | 'before a settlement commits'
  | 'while a settlement commits'
  | 'after a settlement'
  | 'before events are committed'
  | 'after events are committed'
  | 'never';

export interface CrashOptions {
  readonly databaseUrl: string;
  readonly crashPoint: CrashPoint;
  readonly leaseMs: number;
  /** Published as soon as it runs. */
  readonly events: readonly EventRecord[];
}

/** A prepared statement, with the name that the store gives it. */
interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** The part of a connection that a settlement uses. */
interface Connection {
  query(statement: Statement | string): Promise<unknown>;
  release(isBroken?: boolean): void;
}

const crash = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

/** Runs the service's parts in this process, with wrappers that kill it at the crash point. */
async function run({ databaseUrl, crashPoint, leaseMs, events }: CrashOptions): Promise<void> {
  const database = crashing(openDatabase({ url: databaseUrl, poolSize: 4 }), crashPoint);
  const options: DispatcherOptions = {
    leaseMs,
    ...(crashPoint === 'when it is connected'
      ? {
          connect: ((target: object) =>
            connect(target as { port: number }).on('connect', crash)) as typeof connect,
        }
      : {}),
    ...(crashPoint === 'when it has the answer'
      ? { sendThrough: (transport) => ({ post: (call) => transport.post(call).finally(crash) }) }
      : {}),
  };
  const { publish } = startDispatcher({ database, ...options });
  await publish(events);
  if (crashPoint === 'after events are committed') crash();
}

function crashing(database: Database, crashPoint: CrashPoint): Database {
  const query = async (statement: Statement): Promise<unknown> => {
    const isClaim = statement.name === 'claim_deliveries';
    const answering = database.pool.query(statement);
    if (isClaim && crashPoint === 'while it claims') setTimeout(crash, 1);
    const answer = await answering;
    if (isClaim && answer.rows.length > 0 && crashPoint === 'after a claim') crash();
    return answer;
  };
  const connectToPool = async () =>
    crashingConnection((await database.pool.connect()) as unknown as Connection, crashPoint);
  const pool = Object.assign(Object.create(database.pool) as typeof database.pool, {
    query,
    connect: connectToPool,
  });
  return { ...database, pool, prisma: crashingPrisma(database.prisma, crashPoint) };
}

/** Only the intake of events has transactions of Prisma here. */
function crashingPrisma(prisma: Database['prisma'], crashPoint: CrashPoint): Database['prisma'] {
  if (crashPoint !== 'before events are committed') return prisma;
  const crashing = (run: (client: object) => Promise<unknown>, waits: object) =>
    prisma.$transaction((client) => run(client).finally(crash), waits);
  return new Proxy(prisma, {
    get: (target, name) => (name === '$transaction' ? crashing : (Reflect.get(target, name) as unknown)),
  });
}

function crashingConnection(connection: Connection, crashPoint: CrashPoint): Connection {
  const query = async (statement: Statement | string): Promise<unknown> => {
    const isCommit = statement === 'COMMIT';
    if (isCommit && crashPoint === 'before a settlement commits') crash();
    const answering = connection.query(statement);
    if (isCommit && crashPoint === 'while a settlement commits') setImmediate(crash);
    const answer = await answering;
    if (isCommit && crashPoint === 'after a settlement') crash();
    return answer;
  };
  return Object.assign(Object.create(connection) as Connection, {
    query,
    release: (isBroken?: boolean) => {
      connection.release(isBroken);
    },
  });
}

void run(JSON.parse(process.argv[2] ?? '{}') as CrashOptions);
