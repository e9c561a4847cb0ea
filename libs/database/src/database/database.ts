import { PrismaPg } from '@prisma/adapter-pg';
import { Client, Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client';
import { DueWork } from './due-work';

export interface DatabaseOptions {
  readonly url: string;
  /**
   * The most connections, for the hot path and for Prisma each. So slow console queries never starve the money path.
   */
  readonly poolSize: number;
  /** For a new connection, and for a free one of a pool, in milliseconds; default: CONNECT_TIMEOUT_MS. Specs wait longer. */
  readonly connectTimeoutMs?: number;
}

/**
 * The connections to PostgreSQL: plain `pg` for what every call runs, Prisma for the rest. Every wait on them is
 * bounded.
 */
export interface Database {
  readonly pool: Pool;
  /** For the booking of calls only: see BOOKING. */
  readonly books: Pool;
  /** Books calls of organizations whose wallet is locked, so that waiting for one delays no other. */
  readonly booksAside: Pool;
  /** For periodic jobs, which may take a minute. */
  readonly background: Pool;
  /** Reads the pages of exports, so that they wait for nothing and nothing waits for them. */
  readonly exports: Pool;
  readonly prisma: PrismaClient;
  /** Answers to periodic tasks whether work is due. */
  readonly dueWork: DueWork;
  /** A separate connection, for a lock that lasts as long as the connection. `close` ends it at the latest. */
  connectAlone(): Promise<Client>;
  /** Ends every connection once the queries that run on it are done. */
  close(): Promise<void>;
}

/** How long a statement may wait and run, in milliseconds. */
interface Waits {
  /** For each lock (`lock_timeout`). */
  readonly lockMs: number;
  /** In all (`statement_timeout`). */
  readonly statementMs: number;
  /** From one statement of a transaction to the next (`idle_in_transaction_session_timeout`). */
  readonly idleMs: number;
}

/** A caller gets 503 within 5 s, so a server that does not answer is given up earlier. */
const CALLERS: Waits = { lockMs: 2_000, statementMs: 3_500, idleMs: 5_000 };
/** A batch waits only briefly for a lock, because it holds other locks meanwhile. */
const BOOKS: Waits = { lockMs: 200, statementMs: 2_500, idleMs: 2_500 };
const BACKGROUND: Waits = { lockMs: 10_000, statementMs: 60_000, idleMs: 60_000 };

const CONNECT_TIMEOUT_MS = 3_000;
/**
 * The server itself cancels a statement that runs too long. When it is silent for this much longer, it is taken for
 * dead.
 */
const SILENCE_MS = 500;
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/**
 * No statement here runs long enough to gain from JIT compilation. Where table statistics mislead the planner into it,
 * compiling takes tens of milliseconds each time: a claim of deliveries beside half a million of one endpoint took 60
 * ms instead of 2.
 */
const NOT_COMPILED = '-c jit=off';
/**
 * Plans are generic and made once, and a plan made for small tables is kept as they grow. So plans must use indexes
 * everywhere. Planning each time would double the cost of a full batch.
 */
const BOOKING = `${NOT_COMPILED} -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off`;
/** A process books one batch at a time. Where edge and worker share a process, the worker's may run meanwhile. */
const BOOKING_CONNECTIONS = 2;
const ASIDE_CONNECTIONS = 4;
const BACKGROUND_CONNECTIONS = 2;
const EXPORT_CONNECTIONS = 2;
/** A page is one range of an index, also where the planner takes an organization for small: `readUnsorted` says why. */
const EXPORTING = `${NOT_COMPILED} -c enable_sort=off`;

/** Connects lazily: it succeeds without a server, and the first query reports a missing one. */
export function openDatabase({
  url,
  poolSize,
  connectTimeoutMs = CONNECT_TIMEOUT_MS,
}: DatabaseOptions): Database {
  const server = { url, connectTimeoutMs };
  const pool = openPool(server, poolSize, CALLERS);
  const books = openPool(server, BOOKING_CONNECTIONS, BOOKS, BOOKING);
  const booksAside = openPool(server, ASIDE_CONNECTIONS, BOOKS, BOOKING);
  const background = openPool(server, BACKGROUND_CONNECTIONS, BACKGROUND);
  const exports = openPool(server, EXPORT_CONNECTIONS, BACKGROUND, EXPORTING);
  const prismaPool = openPool(server, poolSize, CALLERS);
  const prisma = new PrismaClient({ adapter: new PrismaPg(prismaPool) });
  const alone = new Set<Client>();
  return {
    pool,
    books,
    booksAside,
    background,
    exports,
    prisma,
    dueWork: new DueWork(pool),
    connectAlone: async () => {
      const client = new Client(connectionTo(server, NOT_COMPILED));
      alone.add(client);
      client.on('error', () => undefined).once('end', () => alone.delete(client));
      await client.connect();
      return client;
    },
    close: async () => {
      await prisma.$disconnect();
      const connections = [pool, books, booksAside, background, exports, prismaPool, ...alone];
      await Promise.all(connections.map((each) => each.end()));
    },
  };
}

type Server = Required<Pick<DatabaseOptions, 'url' | 'connectTimeoutMs'>>;

function openPool(server: Server, max: number, waits: Waits, settings = NOT_COMPILED): Pool {
  const pool = new Pool({
    ...connectionTo(server, settings, settingsOf(waits)),
    max,
    query_timeout: waits.statementMs + SILENCE_MS,
  });
  // The pool replaces an idle connection that breaks. Without a listener its error would end the process.
  return pool.on('error', () => undefined);
}

const settingsOf = ({ lockMs, statementMs, idleMs }: Waits): string =>
  `-c lock_timeout=${String(lockMs)} -c statement_timeout=${String(statementMs)} ` +
  `-c idle_in_transaction_session_timeout=${String(idleMs)}`;

/** Settings in the operator's URL override the bounds of waits, but not the settings that the statements rely on. */
function connectionTo({ url, connectTimeoutMs }: Server, settings: string, bounds = '') {
  const target = new URL(url);
  const own = target.searchParams.get('options') ?? '';
  target.searchParams.set('options', [bounds, own, settings].filter(Boolean).join(' '));
  return { connectionString: target.href, connectionTimeoutMillis: connectTimeoutMs, ...KEEP_ALIVE };
}
