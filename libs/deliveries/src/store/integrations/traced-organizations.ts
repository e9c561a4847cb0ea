import { type Database } from '@svc/database';

/** The organizations that have each call told to a collector: to an active integration of kind `otlp` with `traces`. */
export async function tracedOrganizations({ pool }: Database): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'traced_organizations',
    text: `SELECT DISTINCT organization_id AS id FROM integrations
           WHERE kind = 'otlp' AND enabled AND deleted_at IS NULL AND config -> 'signals' ? 'traces'`,
  });
  return new Set(rows.map(({ id }) => id));
}
