import { type Pool } from 'pg';

/** How old an answer may be: work that comes due meanwhile is seen by the next look. */
const ANSWER_MS = 200;

interface Look {
  readonly beganAtMs: number;
  /** How many kinds of work it asked about. */
  readonly kinds: number;
  readonly answers: Promise<readonly boolean[]>;
}

/**
 * Tells all periodic tasks of a process with one statement which of them have work. An idle service asks a few times a
 * second then, and not once for each task.
 */
export class DueWork {
  private readonly kinds: string[] = [];
  private last: Look | undefined;

  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /**
   * @param rows SQL from `FROM` on of what is due, without values. Any row of any of them is work.
   * @returns asks whether there is one. It may say so of work that somebody else does meanwhile.
   */
  of(...rows: readonly string[]): () => Promise<boolean> {
    const kind = rows.map((from) => `EXISTS (SELECT ${from})`).join(' OR ');
    if (!this.kinds.includes(kind)) this.kinds.push(kind);
    const nth = this.kinds.indexOf(kind);
    return async () => (await this.lookAt(nth)).at(nth) ?? false;
  }

  private lookAt(nth: number): Promise<readonly boolean[]> {
    const beganAtMs = this.nowMs();
    if (this.last === undefined || nth >= this.last.kinds || beganAtMs - this.last.beganAtMs >= ANSWER_MS)
      this.last = { beganAtMs, kinds: this.kinds.length, answers: this.ask() };
    return this.last.answers;
  }

  private async ask(): Promise<readonly boolean[]> {
    const { rows } = await this.pool.query<{ due: boolean[] }>({
      // Kinds are only ever added, so a number of them is one statement.
      name: `due_work_${String(this.kinds.length)}`,
      text: `SELECT ARRAY[${this.kinds.join(', ')}] AS due`,
    });
    return rows[0]?.due ?? [];
  }
}
