/** A column whose values are sealed with the master key. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Text columns, by which the table is read in pages. */
  readonly primaryKey: readonly string[];
  /** Columns that identify a row in messages and for {@link contextOf}. They hold nothing that a customer wrote. */
  readonly id: readonly string[];
  readonly contextOf: (...id: string[]) => string;
}
