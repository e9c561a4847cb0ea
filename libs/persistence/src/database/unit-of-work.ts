import { type Prisma } from '../generated/prisma/client';
import { type Database } from './database';

declare const brand: unique symbol;

/** An open transaction. Only repositories can use it: it shows nothing of the driver. */
export interface Transaction {
  readonly [brand]: 'transaction';
}

const TIMEOUT_MS = 15_000;
/** How long one may wait for a connection: a burst is served late rather than refused. */
const MAX_WAIT_MS = 10_000;

/** Everything that `work` writes commits together, or nothing does when it throws. */
export class UnitOfWork {
  constructor(private readonly database: Database) {}

  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.database.prisma.$transaction((client) => work(client as unknown as Transaction), {
      timeout: TIMEOUT_MS,
      maxWait: MAX_WAIT_MS,
    });
  }
}

/** The driver's side of a transaction. Not exported from the lib. */
export const prismaOf = (tx: Transaction): Prisma.TransactionClient =>
  tx as unknown as Prisma.TransactionClient;
