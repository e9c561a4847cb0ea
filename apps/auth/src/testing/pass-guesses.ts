import { type Database } from '@svc/database';

/** Makes all guesses so far older by `ms`: they are timed by the database's clock, which specs cannot set. */
export async function passGuesses({ pool }: Database, ms: number): Promise<void> {
  await pool.query(`UPDATE failed_guesses SET clear_at = clear_at - $1 * interval '1 ms'`, [ms]);
}
