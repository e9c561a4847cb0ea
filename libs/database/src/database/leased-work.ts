import { type Database } from './database';
import { IS_DUE } from './due-now';
import { LeaseLostError } from './lease-lost-error';
import { prismaOf, type Transaction } from './unit-of-work';

/** A worker's right to go on with a row. It ends with its time, and with a later claim, which has a higher fence. */
export interface Claim {
  readonly id: string;
  readonly fence: bigint;
}

/**
 * A table of work with the columns `due_at` (null: nothing is left to do), `lease_until` (null: no worker has it) and
 * `fence`. In its SQL a row that may be claimed is called `due`.
 */
interface LeasedTable {
  readonly table: string;
  /** The primary key; by default `id`. */
  readonly key?: string;
  /** For errors: `the job`. */
  readonly what: string;
  /** Another condition for a row to be claimed. The values that a claim names begin with `$3`. */
  readonly where?: string;
  /** Which rows come first; by default those that have been due for longest. */
  readonly orderBy?: string;
  /** Assignments that a claim makes besides. */
  readonly onClaim?: string;
}

const mayBeClaimed = (where = 'true'): string =>
  `${IS_DUE} AND (lease_until IS NULL OR lease_until <= clock_timestamp()) AND ${where}`;

/** Longer than any step of the work takes. Whoever takes longer prolongs it. */
const LEASE_MS = 60_000;

/**
 * Work that any number of workers share, by the database's clock. Whoever claims a row has it until the lease ends: work
 * goes on outside of transactions meanwhile, and what comes of it is written under the claim's fence only. A row stays due
 * until somebody says otherwise, so a crash anywhere leads to the same work again.
 */
export class LeasedWork {
  /** Asks whether a row may be claimed. It leaves out a condition that has values. */
  readonly isDue: () => Promise<boolean>;
  private readonly key: string;

  constructor(
    private readonly database: Database,
    private readonly of: LeasedTable,
    private readonly leaseMs = LEASE_MS,
  ) {
    this.key = of.key ?? 'id';
    const where = of.where?.includes('$') === true ? undefined : of.where;
    this.isDue = database.dueWork.of(`FROM ${of.table} due WHERE ${mayBeClaimed(where)}`);
  }

  /** Claims rows that are due and that no worker has. Skips those that somebody has locked. */
  async claim(limit: number, values: readonly unknown[] = []): Promise<readonly Claim[]> {
    const { table, where, orderBy = 'due_at', onClaim } = this.of;
    const { rows } = await this.database.background.query<{ id: string; fence: string }>(
      `WITH claimed AS MATERIALIZED (
         SELECT ${this.key} AS key FROM ${table} due
         WHERE ${mayBeClaimed(where)}
         ORDER BY ${orderBy} LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
       )
       UPDATE ${table} SET fence = fence + 1, lease_until = clock_timestamp() + $2 * interval '1 ms'
         ${onClaim === undefined ? '' : `, ${onClaim}`}
       FROM claimed WHERE ${this.key} = claimed.key
       RETURNING ${this.key} AS id, fence`,
      [limit, this.leaseMs, ...values],
    );
    return rows.map(({ id, fence }) => ({ id, fence: BigInt(fence) }));
  }

  /** @returns the row that comes first; null without one. */
  async claimOne(values: readonly unknown[] = []): Promise<Claim | null> {
    const [claim] = await this.claim(1, values);
    return claim ?? null;
  }

  /**
   * Locks the row until the transaction ends: nobody claims or changes it meanwhile.
   * @param columns of the row that are returned, as SQL.
   * @throws LeaseLostError
   */
  async lock<Row>(tx: Transaction, { id, fence }: Claim, columns = '1'): Promise<Row> {
    const [row] = await prismaOf(tx).$queryRawUnsafe<Row[]>(
      `SELECT ${columns} FROM ${this.of.table} WHERE ${this.key} = $1 AND fence = $2 FOR NO KEY UPDATE`,
      id,
      fence,
    );
    if (row === undefined) throw this.lost();
    return row;
  }

  /** Says that the work goes on. @param tx the transaction that has locked the row. @throws LeaseLostError */
  async prolong(claim: Claim, tx?: Transaction): Promise<void> {
    const change = `lease_until = clock_timestamp() + $3 * interval '1 ms'`;
    const isClaimed = await this.change(claim, change, [this.leaseMs], tx, 'lease_until IS NOT NULL');
    if (!isClaimed) throw this.lost();
  }

  /** Gives the row back: it is due again in `dueInMs`. Nothing happens where another worker has it. */
  async postpone(claim: Claim, dueInMs: number, tx?: Transaction): Promise<void> {
    await this.giveBack(claim, `due_at = clock_timestamp() + $3 * interval '1 ms'`, [dueInMs], tx);
  }

  /**
   * Gives the row back with a change of it.
   * @param change SQL of a SET, whose values begin with `$3`.
   * @returns false where another worker has it, and nothing happened.
   */
  giveBack(
    claim: Claim,
    change: string,
    values: readonly unknown[] = [],
    tx?: Transaction,
  ): Promise<boolean> {
    return this.change(claim, `lease_until = NULL, ${change}`, values, tx);
  }

  /** @returns whether the claim was the last one. */
  private async change(
    { id, fence }: Claim,
    change: string,
    values: readonly unknown[],
    tx?: Transaction,
    where = 'true',
  ): Promise<boolean> {
    const text = `UPDATE ${this.of.table} SET ${change} WHERE ${this.key} = $1 AND fence = $2 AND ${where}`;
    if (tx !== undefined) return (await prismaOf(tx).$executeRawUnsafe(text, id, fence, ...values)) === 1;
    return (await this.database.background.query(text, [id, fence, ...values])).rowCount === 1;
  }

  private lost(): LeaseLostError {
    return new LeaseLostError(`another worker has ${this.of.what}`);
  }
}
