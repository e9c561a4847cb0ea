import { connect } from 'node:net';
import { type EventRecord } from '@svc/messaging';
import { type Database, openDatabase } from '@svc/persistence';
import { type DispatcherOptions, startDispatcher } from './start-dispatcher';

/** Where a mortal dispatcher ends itself, without a word to anybody. */
export const deaths = [
  'while it claims',
  'after a claim',
  'when it is connected',
  'when it has the answer',
  'before a settlement commits',
  'while a settlement commits',
  'after a settlement',
  'before an event is recorded',
  'after an event is recorded',
  'never',
] as const;
export type Death = (typeof deaths)[number];

export interface MortalOptions {
  readonly databaseUrl: string;
  readonly death: Death;
  readonly leaseMs: number;
  /** Published as soon as it runs. */
  readonly events: readonly EventRecord[];
}

/** As the stores name theirs. */
interface Statement {
  readonly name?: string;
  readonly text: string;
}

/** What a settlement uses of a connection. */
interface Connection {
  query(statement: Statement | string): Promise<unknown>;
  release(isBroken?: boolean): void;
}

const die = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

/** The service's parts, in a process of their own; what they are put together with kills it at the right moment. */
async function run({ databaseUrl, death, leaseMs, events }: MortalOptions): Promise<void> {
  const database = mortal(openDatabase({ url: databaseUrl, poolSize: 4 }), death);
  const options: DispatcherOptions = {
    leaseMs,
    ...(death === 'when it is connected'
      ? {
          connect: ((target: object) =>
            connect(target as { port: number }).on('connect', die)) as typeof connect,
        }
      : {}),
    ...(death === 'when it has the answer'
      ? { sendThrough: (transport) => ({ post: (call) => transport.post(call).finally(die) }) }
      : {}),
  };
  const { transport } = startDispatcher({ database, ...options });
  await transport.publish(events);
  if (death === 'after an event is recorded') die();
}

function mortal(database: Database, death: Death): Database {
  const query = async (statement: Statement): Promise<unknown> => {
    const isClaim = statement.name === 'claim_deliveries';
    if (statement.name === 'record_deliveries' && death === 'before an event is recorded') die();
    const answering = database.pool.query(statement);
    if (isClaim && death === 'while it claims') setTimeout(die, 1);
    const answer = await answering;
    if (isClaim && answer.rows.length > 0 && death === 'after a claim') die();
    return answer;
  };
  const connectToPool = async () =>
    mortalConnection((await database.pool.connect()) as unknown as Connection, death);
  const pool = Object.assign(Object.create(database.pool) as typeof database.pool, {
    query,
    connect: connectToPool,
  });
  return { ...database, pool };
}

function mortalConnection(connection: Connection, death: Death): Connection {
  const query = async (statement: Statement | string): Promise<unknown> => {
    const isCommit = statement === 'COMMIT';
    if (isCommit && death === 'before a settlement commits') die();
    const answering = connection.query(statement);
    if (isCommit && death === 'while a settlement commits') setImmediate(die);
    const answer = await answering;
    if (isCommit && death === 'after a settlement') die();
    return answer;
  };
  return Object.assign(Object.create(connection) as Connection, {
    query,
    release: (isBroken?: boolean) => {
      connection.release(isBroken);
    },
  });
}

void run(JSON.parse(process.argv[2] ?? '{}') as MortalOptions);
