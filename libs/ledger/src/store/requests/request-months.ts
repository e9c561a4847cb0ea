import { type Database } from '@svc/database';

/** The partitions of the request log, one a calendar month (UTC), by the database's clock: docs/decisions/0013. */
export class RequestMonths {
  constructor(private readonly database: Database) {}

  /**
   * Creates the partition of a month, and moves calls of that month that came earlier into it.
   * @param ahead how many months after the current one.
   * @returns false where the partition exists.
   * @throws Error when there are so many earlier calls that moving them would block all calls for long, or when the log
   * is in use without a pause. Then nothing is changed, and no call is refused.
   */
  async makeMonth(ahead: number): Promise<boolean> {
    const { rows } = await this.database.background.query<{ made: boolean }>(
      `SELECT make_request_month(${fromThisMonth('$1')}) AS made`,
      [ahead],
    );
    return rows[0]?.made === true;
  }

  /**
   * Drops the oldest partition beyond those kept. A partition stays while one of its calls is pending, has a
   * provisional cost, or came late.
   * @param monthsKept whole months before the current one, at least 1.
   * @returns its name; null when there is none to drop.
   * @throws Error when the log is in use without a pause. Then nothing is changed.
   */
  async dropOldest(monthsKept: number): Promise<string | null> {
    const { rows } = await this.database.background.query<{ dropped: string | null }>(
      `SELECT drop_request_month(${fromThisMonth('-$1::int')}) AS dropped`,
      [monthsKept],
    );
    return rows[0]?.dropped ?? null;
  }
}

/** The start of a month, `distance` months after the current one by the database's clock. */
const fromThisMonth = (distance: string): string =>
  `(date_trunc('month', now() AT TIME ZONE 'UTC') + ${distance} * interval '1 month') AT TIME ZONE 'UTC'`;
