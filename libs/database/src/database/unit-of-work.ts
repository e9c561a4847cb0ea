import { type Prisma } from '../generated/prisma/client';
import { type Database } from './database';
import { refusalFor } from './failure';

declare const brand: unique symbol;

/** An open transaction. Only stores can use it, because it hides the driver. */
export interface Transaction {
  readonly [brand]: 'transaction';
}

const TIMEOUT_MS = 15_000;
/** The most that a transaction waits for a connection. */
const MAX_WAIT_MS = 4_000;

/** Everything that `work` writes commits together. When it throws, nothing does. */
export class UnitOfWork {
  constructor(private readonly database: Database) {}

  /** @throws the failure of `work`, or of its commit. */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async (client: Prisma.TransactionClient): Promise<T> => {
        try {
          return await work(client as unknown as Transaction);
        } catch (error) {
          // Nothing can commit any more. Waiting for the rollback of a server that does not answer would take as long
          // again.
          if (refusalFor(error) !== error) reject(error as Error);
          throw error;
        }
      };
      const waits = { timeout: TIMEOUT_MS, maxWait: MAX_WAIT_MS };
      this.database.prisma.$transaction(run, waits).then(resolve, reject);
    });
  }
}

/** The driver's side of a transaction. Not exported from the lib. */
export const prismaOf = (tx: Transaction): Prisma.TransactionClient =>
  tx as unknown as Prisma.TransactionClient;
