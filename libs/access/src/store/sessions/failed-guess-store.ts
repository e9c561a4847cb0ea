import { hash } from 'node:crypto';
import { type Database } from '@svc/database';

/** The limit of one guesser: `burst` failures at once, of which one is forgotten each `forgetMs`. */
interface GuessCount {
  /** A network, or a network with the account that it guesses at. Its SHA-256 is stored. */
  readonly guesser: string;
  readonly burst: number;
  readonly forgetMs: number;
}

/** Both are counted for a guess, or neither. */
export interface GuessCounts {
  readonly network: GuessCount;
  readonly pair: GuessCount;
}

/** Failed guesses at secrets, counted for all processes together, by the database's clock. */
export class FailedGuessStore {
  constructor(private readonly database: Database) {}

  /**
   * Counts a guess as failed before the secret is checked. Of any number of guesses at once, in any number of
   * processes, at most a burst passes.
   * @returns 0; or how many milliseconds the guess must wait, in which case nothing is counted.
   */
  begin({ network, pair }: GuessCounts): Promise<number> {
    return this.waitMs('begin_guess', 'SELECT begin_guess($1, $2, $3, $4, $5, $6) AS wait', [
      ...argumentsOf(network),
      ...argumentsOf(pair),
    ]);
  }

  /** Takes back the count of a guess that begin() counted and that was right. */
  async forgive({ network, pair }: GuessCounts): Promise<void> {
    await this.database.pool.query({
      name: 'forgive_guess',
      text: 'SELECT forgive_guess($1, $2, $3, $4)',
      values: [...argumentsOf(network), storedAs(pair.guesser)],
    });
  }

  /** Forgets the failures of a guesser. */
  async forget({ guesser }: GuessCount): Promise<void> {
    await this.database.pool.query('DELETE FROM failed_guesses WHERE guesser = $1', [storedAs(guesser)]);
  }

  /**
   * Forgets the failures of a pair after a right guess that was not counted. Without failures nothing is written.
   * @returns 0; or how many milliseconds the guess must wait, in which case nothing is forgotten.
   */
  pass({ network, pair }: GuessCounts): Promise<number> {
    return this.waitMs(
      'pass_guess',
      `WITH asked AS MATERIALIZED (SELECT guess_wait_ms($1, $2, $3, $4, $5, $6) AS wait),
         forgotten AS (DELETE FROM failed_guesses WHERE guesser = $4 AND (SELECT wait FROM asked) = 0)
       SELECT wait FROM asked`,
      [...argumentsOf(network), ...argumentsOf(pair)],
    );
  }

  private async waitMs(name: string, text: string, values: unknown[]): Promise<number> {
    const { rows } = await this.database.pool.query<{ wait: number }>({ name, text, values });
    return rows[0]?.wait ?? 0;
  }
}

const argumentsOf = ({ guesser, burst, forgetMs }: GuessCount) => [storedAs(guesser), burst, forgetMs];

const storedAs = (guesser: string): Buffer => hash('sha256', guesser, 'buffer');
