/**
 * A text of `libs/database/sql`: the current one of a function, a view, or a trigger's function with its triggers.
 */
export interface SqlFile {
  /** The path below `sql/`: `ledger/book_calls.sql`. */
  readonly path: string;
  readonly text: string;
}
