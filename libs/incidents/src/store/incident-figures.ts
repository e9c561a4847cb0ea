import { type Database } from '@svc/database';
import { type IncidentSeverity, type IncidentSource } from '../rules/incident';

interface OpenIncidents {
  readonly severity: IncidentSeverity;
  readonly source: IncidentSource;
  readonly count: number;
}

/** Figures of incidents for the worker's metrics. */
export class IncidentFigures {
  constructor(private readonly database: Database) {}

  async open(): Promise<readonly OpenIncidents[]> {
    const { rows } = await this.database.pool.query<OpenIncidents>(
      `SELECT severity, source, count(*)::integer AS count FROM incidents WHERE state <> 'resolved'
       GROUP BY severity, source`,
    );
    return rows;
  }

  /** The updates that not every affected organization has been told of. */
  async untoldUpdates(): Promise<number> {
    const { rows } = await this.database.pool.query<{ count: number }>(
      `SELECT coalesce(sum(update_count - told_count), 0)::integer AS count FROM incidents WHERE due_at IS NOT NULL`,
    );
    return rows[0]?.count ?? 0;
  }
}
