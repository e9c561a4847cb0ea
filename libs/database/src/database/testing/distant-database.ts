import { openTestDatabase, startSilentProxy, type SilentProxy, type TestDatabase } from '../../testing';
import { openDatabase, type Database } from '../database';
import { prismaOf, UnitOfWork } from '../unit-of-work';

/** A database behind a proxy that can fall silent. */
export class DistantDatabase {
  private constructor(
    private readonly test: TestDatabase,
    readonly proxy: SilentProxy,
    readonly database: Database,
  ) {}

  static async open(): Promise<DistantDatabase> {
    const test = await openTestDatabase();
    const proxy = await startSilentProxy(test.url);
    return new DistantDatabase(test, proxy, openDatabase({ url: proxy.url, poolSize: 2 }));
  }

  async close(): Promise<void> {
    this.proxy.resume();
    await this.database.close();
    await this.proxy.close();
    await this.test.close();
  }

  /** Asks in every way in which services query the database. @returns the answers and the failures. */
  askAll(): Promise<readonly unknown[]> {
    const { pool, books, prisma } = this.database;
    const ways: readonly (() => Promise<unknown>)[] = [
      () => pool.query('SELECT 1'),
      () => books.query('SELECT 1'),
      () => prisma.organization.count(),
      () => prisma.$queryRaw`SELECT 1`,
      () => new UnitOfWork(this.database).transaction((tx) => prismaOf(tx).organization.count()),
    ];
    return Promise.all(ways.map((ask) => failureOf(ask)));
  }
}

/** The error that work throws, or its result. */
export const failureOf = async (work: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await work();
  } catch (error) {
    return error;
  }
};
