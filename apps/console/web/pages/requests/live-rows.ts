/** Rows of a list that is read again and again, while its reader holds it still. */
export interface HeldRows<Row> {
  readonly rows: readonly Row[];
  /** How many new rows wait above. */
  readonly waiting: number;
}

/**
 * The rows that were shown when the reader began to hold the list, in their places, each as it is now; new rows wait.
 * Without held rows the fresh ones are shown.
 */
export function holdRows<Row extends { readonly id: string }>(
  held: readonly Row[] | null,
  fresh: readonly Row[],
): HeldRows<Row> {
  if (held === null || held.length === 0) return { rows: fresh, waiting: 0 };
  const now = new Map(fresh.map((row) => [row.id, row]));
  const rows = held.map((row) => now.get(row.id) ?? row);
  const known = new Set(held.map(({ id }) => id));
  return { rows, waiting: fresh.filter(({ id }) => !known.has(id)).length };
}
