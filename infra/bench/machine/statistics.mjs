// Counts what PostgreSQL has written.

/** PostgreSQL's backends report their statistics within ten seconds after they become idle. */
export const STATISTICS_DELAY_MS = 11_000;

/**
 * Inserted and updated rows of the client's database by table, as backends reported them. A partition counts as its table.
 */
export async function rowsWritten(database) {
  const { rows } = await database.query(
    `SELECT coalesce(i.inhparent::regclass::text, s.relname) AS name, sum(s.n_tup_ins + s.n_tup_upd)::float8 AS count
     FROM pg_stat_user_tables s LEFT JOIN pg_inherits i ON i.inhrelid = s.relid
     GROUP BY 1`,
  );
  return new Map(rows.map(({ name, count }) => [name, count]));
}

/** Bytes of WAL of the whole server, all databases; always current. */
export async function walBytes(database) {
  const { rows } = await database.query(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes`,
  );
  return rows[0].bytes;
}
