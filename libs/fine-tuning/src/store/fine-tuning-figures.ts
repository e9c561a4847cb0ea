import { type Database } from '@svc/database';
import { type JobState, jobStates } from '../rules/jobs/job-state';

/** Counts over all organizations, for metrics. */
export class FineTuningFigures {
  constructor(private readonly database: Database) {}

  /** Every state has a count. */
  async jobs(): Promise<ReadonlyMap<JobState, number>> {
    const { rows } = await this.database.pool.query<{ state: JobState; count: number }>(
      'SELECT state, count(*)::int AS count FROM fine_tuning_jobs GROUP BY state',
    );
    const counts = new Map(rows.map(({ state, count }) => [state, count]));
    return new Map(jobStates.map((state) => [state, counts.get(state) ?? 0]));
  }
}
