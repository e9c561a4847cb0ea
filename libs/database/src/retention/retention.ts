import { type Database } from '../database/database';
import { type RetentionRule } from './retention-rule';

/** Deletes what is kept no longer. */
export class Retention {
  constructor(private readonly database: Database) {}

  /**
   * Deletes a batch by each of these rules, one after the other. Skips rows that others have locked: another worker
   * deletes them already, or they are in use and come later.
   * @returns whether there may be more.
   */
  async deleteDue(rules: readonly RetentionRule[]): Promise<{ readonly more: boolean }> {
    let more = false;
    for (const rule of rules) {
      const { rowCount } = await this.database.background.query(deleteBy(rule), [rule.keepMs, rule.batch]);
      more ||= rowCount === rule.batch;
    }
    return { more };
  }
}

const deleteBy = ({ table, column, where = 'true', isUnordered = false }: RetentionRule): string =>
  `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
     SELECT ctid FROM ${table} WHERE ${column} <= now() - $1 * interval '1 ms' AND ${where}
     ${isUnordered ? '' : `ORDER BY ${column}`} LIMIT $2 FOR UPDATE SKIP LOCKED))`;
