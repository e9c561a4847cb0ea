import { openDatabase, type Database } from '@svc/database';
import { createLogger } from '@svc/runtime/observability';
import { IncidentFanOut } from '../work/incident-fan-out';
import { tellIncidents } from '../work/tell-incidents';

/** Where a worker that tells incidents kills itself. */
export interface CrashOptions {
  readonly databaseUrl: string;
  readonly leaseMs: number;
  readonly batch: number;
  readonly when: 'after statement' | 'before commit' | 'after commit';
  /** Which of them, from 1. */
  readonly number: number;
}

const crash = (): void => {
  process.kill(process.pid, 'SIGKILL');
};

/** Tells all that is due, over a database that kills this process at the crash point. */
async function run({ databaseUrl, leaseMs, batch, when, number }: CrashOptions): Promise<void> {
  const database = crashing(openDatabase({ url: databaseUrl, poolSize: 4 }), when, number);
  const fanOut = new IncidentFanOut(database, { leaseMs, batch });
  const catalog = {
    providers: new Map(),
    models: new Map(),
    aliases: new Map(),
    fineTuning: [],
    extraParameters: new Set<string>(),
  };
  const logger = createLogger({ service: 'worker', level: 'silent' });
  while ((await tellIncidents(fanOut, { catalog: () => catalog }, logger)).more);
  process.exit(0);
}

function crashing(database: Database, when: CrashOptions['when'], number: number): Database {
  let statements = 0;
  const query = async (...statement: Parameters<typeof database.background.query>): Promise<unknown> => {
    const answer: unknown = await database.background.query(...statement);
    if (when === 'after statement' && ++statements === number) crash();
    return answer;
  };
  let commits = 0;
  const transaction = async (
    work: (client: unknown) => Promise<unknown>,
    waits: object,
  ): Promise<unknown> => {
    const isIt = ++commits === number;
    const answer: unknown = await database.prisma.$transaction(async (client) => {
      const result = await work(client);
      if (isIt && when === 'before commit') crash();
      return result;
    }, waits);
    if (isIt && when === 'after commit') crash();
    return answer;
  };
  const prisma = new Proxy(database.prisma, {
    get: (client, name) => (name === '$transaction' ? transaction : (Reflect.get(client, name) as unknown)),
  });
  const background = Object.assign(Object.create(database.background) as typeof database.background, {
    query,
  });
  return { ...database, prisma, background };
}

void run(JSON.parse(process.argv[2] ?? '{}') as CrashOptions);
