import { type Database } from '../database/database';

/** The partitions of the request log, one a calendar month (UTC): docs/decisions/0013. */
export class RequestMonths {
  constructor(private readonly database: Database) {}

  /**
   * Makes the partition of the month in which a moment lies, with the calls of it that came before.
   * @returns false where there was one.
   * @throws Error when so many came before that moving them would stop all calls for long, or when the log is in use
   * without a pause. Nothing is changed then, and no call is refused for it.
   */
  async make(at: Date): Promise<boolean> {
    const { rows } = await this.database.pool.query<{ made: boolean }>(
      'SELECT make_request_month($1) AS made',
      [at],
    );
    return rows[0]?.made === true;
  }

  /**
   * Drops the oldest partition that ends at a moment or before. One with a call that is pending, or whose cost is provisional, stays.
   * @returns its name; null when there is none to drop.
   * @throws Error when the log is in use without a pause. Nothing is changed then.
   */
  async dropOldest(before: Date): Promise<string | null> {
    const { rows } = await this.database.pool.query<{ dropped: string | null }>(
      'SELECT drop_request_month($1) AS dropped',
      [before],
    );
    return rows[0]?.dropped ?? null;
  }
}
