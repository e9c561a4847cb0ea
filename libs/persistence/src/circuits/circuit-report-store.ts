import { type Database } from '../database/database';

/** The circuit of a model endpoint, as an edge has it. Times are ages, because clocks differ. */
export interface CircuitReport {
  readonly endpointId: string;
  readonly model: string;
  readonly provider: string;
  /** Milliseconds; null while it is closed. */
  readonly openForMs: number | null;
  /** Milliseconds since the edge planned with the endpoint, or left it out of a plan because its circuit was open. */
  readonly plannedAgoMs: number;
}

/** What edges report of the circuits of model endpoints. The view `endpoint_circuits` judges it. */
export class CircuitReportStore {
  constructor(private readonly database: Database) {}

  /** Replaces what the edge reported of these endpoints before. */
  async write(edgeInstanceId: string, reports: readonly CircuitReport[]): Promise<void> {
    await this.database.pool.query({
      name: 'write_circuit_reports',
      text: `INSERT INTO circuit_reports (edge_instance_id, endpoint_id, model, provider, open_since, planned_at, reported_at)
             SELECT $1, endpoint_id, model, provider, now() - open_ms * interval '1 ms', now() - planned_ms * interval '1 ms', now()
             FROM unnest($2::text[], $3::text[], $4::text[], $5::float8[], $6::float8[])
               AS r (endpoint_id, model, provider, open_ms, planned_ms)
             ON CONFLICT (endpoint_id, edge_instance_id) DO UPDATE SET
               open_since = excluded.open_since, planned_at = excluded.planned_at, reported_at = excluded.reported_at`,
      values: [
        edgeInstanceId,
        reports.map(({ endpointId }) => endpointId),
        reports.map(({ model }) => model),
        reports.map(({ provider }) => provider),
        reports.map(({ openForMs }) => openForMs),
        reports.map(({ plannedAgoMs }) => plannedAgoMs),
      ],
    });
  }

  /** Deletes reports of this age: their edges have ended, or have not planned with the endpoint since. @returns how many. */
  async deleteOld(ageMs: number, limit: number): Promise<number> {
    const { rowCount } = await this.database.background.query(
      `DELETE FROM circuit_reports WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM circuit_reports WHERE reported_at < now() - $1 * interval '1 ms' LIMIT $2))`,
      [ageMs, limit],
    );
    return rowCount ?? 0;
  }
}
