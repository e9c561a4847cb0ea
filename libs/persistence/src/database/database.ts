import { PrismaPg } from '@prisma/adapter-pg';
import { Client, Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client';

export interface DatabaseOptions {
  readonly url: string;
  /** Connections at most, for the hot path and for Prisma each: a slow console query never starves the money path. */
  readonly poolSize: number;
}

/** The ways into PostgreSQL: plain `pg` for what every call runs, Prisma for the rest. */
export interface Database {
  readonly pool: Pool;
  /** For what books calls, and nothing else: see BOOKING. */
  readonly books: Pool;
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
/**
 * Plans are made once, for any batch, and look everything up by an index: one that was made while tables were small is kept as they grow.
 * Planned anew, a full batch costs twice as much.
 */
const BOOKING = `${NOT_COMPILED} -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off`;
/** A process books one batch at a time; the worker's may come meanwhile, where both are one process. */
const BOOKING_CONNECTIONS = 2;

/** Connects lazily: it succeeds without a server, and the first query reports a missing one. */
export function openDatabase({ url, poolSize }: DatabaseOptions): Database {
  const connection = connectionTo(url, NOT_COMPILED);
  const pool = surviving(new Pool({ ...connection, max: poolSize }));
  const books = surviving(new Pool({ ...connectionTo(url, BOOKING), max: BOOKING_CONNECTIONS }));
  const prismaPool = surviving(new Pool({ ...connection, max: poolSize }));
  const prisma = new PrismaClient({ adapter: new PrismaPg(prismaPool) });
  const alone = new Set<Client>();
  return {
    pool,
    books,
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
      await Promise.all([pool, books, prismaPool, ...alone].map((connections) => connections.end()));
    },
  };
}

/** The operator's own settings stay, and come first. */
function connectionTo(url: string, settings: string) {
  const target = new URL(url);
  const own = target.searchParams.get('options');
  target.searchParams.set('options', own === null ? settings : `${own} ${settings}`);
  return { connectionString: target.href, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };
}

/** An idle connection that breaks is replaced by the pool; unheard, its error would end the process. */
function surviving(pool: Pool): Pool {
  return pool.on('error', () => undefined);
}
