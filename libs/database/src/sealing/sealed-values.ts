import { type Sealer } from '@svc/runtime';
import { type Database } from '../database/database';
import { type SealedColumn } from './sealed-column';

/** A value that none of the given keys decrypts. */
interface UnopenedValue {
  readonly table: string;
  readonly column: string;
  readonly id: string;
}

/** The result of one pass over all sealed values. */
interface ResealingPass {
  readonly seenCount: number;
  readonly resealedCount: number;
  readonly unopened: readonly UnopenedValue[];
}

interface Row {
  readonly key: string[];
  readonly id: string[];
  readonly sealed: Buffer;
}

const ROWS_AT_A_TIME = 500;
/** Bounds a batch, because a stored answer may have megabytes. */
const BYTES_AT_A_TIME = 8_000_000;

/** All sealed values, for the rotation of the master key (docs/rotate-keys.md). */
export class SealedValues {
  constructor(
    private readonly database: Database,
    private readonly sealer: Sealer,
    private readonly columns: readonly SealedColumn[],
  ) {}

  /**
   * Seals values of another key again with the current one, in batches, while services run. A value that changes
   * meanwhile keeps its change. Can be stopped at any time and started again.
   * @param onBatch gets the progress in a column.
   */
  async reseal(
    onBatch?: (column: string, seenCount: number, resealedCount: number) => void,
  ): Promise<ResealingPass> {
    let [seenTotal, resealedTotal] = [0, 0];
    const unopened: UnopenedValue[] = [];
    for (const column of this.columns) {
      let [seenCount, resealedCount] = [0, 0];
      for await (const rows of this.walk(column)) {
        seenCount += rows.length;
        resealedCount += await this.resealRows(column, rows, unopened);
        onBatch?.(`${column.table}.${column.column}`, seenCount, resealedCount);
      }
      seenTotal += seenCount;
      resealedTotal += resealedCount;
    }
    return { seenCount: seenTotal, resealedCount: resealedTotal, unopened };
  }

  private async *walk({ table, column, primaryKey, id }: SealedColumn): AsyncGenerator<readonly Row[]> {
    const key = primaryKey.join(', ');
    let after = primaryKey.map(() => '');
    for (;;) {
      const { rows } = await this.database.background.query<Row>(
        `SELECT ARRAY[${key}] AS key, ARRAY[${id.join(', ')}] AS id, sealed FROM (
           SELECT *, sum(octet_length(sealed)) OVER (ORDER BY ${key}) - octet_length(sealed) AS bytes_before FROM (
             SELECT *, ${column} AS sealed FROM ${table}
             WHERE ${column} IS NOT NULL AND (${key}) > (${placeholders(primaryKey)})
             ORDER BY ${key} LIMIT ${String(ROWS_AT_A_TIME)}
           ) candidate
         ) batch WHERE bytes_before < ${String(BYTES_AT_A_TIME)} ORDER BY ${key}`,
        after,
      );
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows;
      after = last.key;
    }
  }

  /** @returns how many were sealed again. Values that do not decrypt are added to `unopened`. */
  private async resealRows(
    { table, column, primaryKey, contextOf }: SealedColumn,
    rows: readonly Row[],
    unopened: UnopenedValue[],
  ): Promise<number> {
    const changes = rows.flatMap((row) => {
      try {
        const resealed = this.sealer.reseal(row.sealed, contextOf(...row.id));
        return resealed === null ? [] : [{ ...row, resealed }];
      } catch {
        unopened.push({ table, column, id: row.id.join('/') });
        return [];
      }
    });
    if (changes.length === 0) return 0;
    const keyColumns = primaryKey.map((_, at) => changes.map(({ key }) => key[at]));
    const parts = [...primaryKey.map(() => 'text[]'), 'bytea[]', 'bytea[]'];
    const { rowCount } = await this.database.background.query(
      `UPDATE ${table} SET ${column} = change.resealed
       FROM unnest(${parts.map((type, at) => `$${String(at + 1)}::${type}`).join(', ')})
         AS change (${primaryKey.map((name) => `of_${name}`).join(', ')}, was, resealed)
       WHERE ${primaryKey.map((name) => `${table}.${name} = change.of_${name}`).join(' AND ')}
         AND ${table}.${column} = change.was`,
      [...keyColumns, changes.map(({ sealed }) => sealed), changes.map(({ resealed }) => resealed)],
    );
    return rowCount ?? 0;
  }
}

const placeholders = (columns: readonly string[]): string =>
  columns.map((_, at) => `$${String(at + 1)}`).join(', ');
