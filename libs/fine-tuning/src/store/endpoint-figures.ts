import { type Database } from '@svc/database';
import { type EndpointState } from '../rules/endpoints/endpoint-state';

/** Counts of endpoints, for operators. */
export class FineTuningEndpointFigures {
  constructor(private readonly database: Database) {}

  async countByState(): Promise<ReadonlyMap<EndpointState, number>> {
    const { rows } = await this.database.background.query<{ state: EndpointState; count: number }>(
      `SELECT coalesce(r.state, 'stopped') AS state, count(*)::int AS count
       FROM fine_tuning_endpoints e LEFT JOIN fine_tuning_endpoint_runs r ON r.endpoint_id = e.id AND r.number = e.last_run
       WHERE e.deleted_at IS NULL GROUP BY 1`,
    );
    return new Map(rows.map(({ state, count }) => [state, count]));
  }
}
