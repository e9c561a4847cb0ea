/** Which rows of a table are kept no longer. */
export interface RetentionRule {
  /** The worker's task that deletes them: a label of its metrics. Rules of one task run one after the other. */
  readonly task: string;
  readonly table: string;
  /** An expression of the table's columns: since when a row is of no use. Null: it still is. */
  readonly column: string;
  /** How long a row stays after that. */
  readonly keepMs: number;
  /** Another condition for a row to be deleted. */
  readonly where?: string;
  /** The oldest go first, unless no index has them in that order. */
  readonly isUnordered?: boolean;
  /** How many rows go at once. */
  readonly batch: number;
}
