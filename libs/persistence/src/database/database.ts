import { PrismaPg } from '@prisma/adapter-pg';
import { Client, Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client';

export interface DatabaseOptions {
  readonly url: string;
  /** Connections at most, for the hot path and for Prisma each: a slow console query never starves the money path. */
  readonly poolSize: number;
}

/** Both ways into PostgreSQL: plain `pg` for what every call runs, Prisma for the rest. */
export interface Database {
  readonly pool: Pool;
  readonly prisma: PrismaClient;
  /** A connection of its own, for a lock that lives as long as it. Ended by `close`, at the latest. */
  connectAlone(): Promise<Client>;
  /** Ends every connection once the queries that run on it are done. */
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
/**
 * No statement here runs for long enough to be worth compiling. Where a table's statistics make the planner think otherwise, it
 * takes tens of milliseconds each time: a claim of deliveries beside half a million of one endpoint took 60 instead of 2.
 */
const NOT_COMPILED = '-c jit=off';

/** Connects lazily: it succeeds without a server, and the first query reports a missing one. */
export function openDatabase({ url, poolSize }: DatabaseOptions): Database {
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: NOT_COMPILED,
  };
  const pool = surviving(new Pool({ ...connection, max: poolSize }));
  const prismaPool = surviving(new Pool({ ...connection, max: poolSize }));
  const prisma = new PrismaClient({ adapter: new PrismaPg(prismaPool) });
  const alone = new Set<Client>();
  return {
    pool,
    prisma,
    connectAlone: async () => {
      const client = new Client(connection);
      alone.add(client);
      client.on('error', () => undefined).once('end', () => alone.delete(client));
      await client.connect();
      return client;
    },
    close: async () => {
      await prisma.$disconnect();
      await Promise.all([pool.end(), prismaPool.end(), ...[...alone].map((client) => client.end())]);
    },
  };
}

/** An idle connection that breaks is replaced by the pool; unheard, its error would end the process. */
function surviving(pool: Pool): Pool {
  return pool.on('error', () => undefined);
}
