import { retryDelayMs } from '@svc/fine-tuning';
import { type Database } from '../database/database';
import { toTunedModel, type TunedModelRecord } from './tuned-model-store';

const LEASE_MS = 60_000;

interface DeletedModel extends TunedModelRecord {
  readonly failures: number;
}

/** Deletes models at their providers, for as long as it takes. Deleting one twice does no harm. */
export class TunedModelWork {
  constructor(private readonly database: Database) {}

  async claim(limit: number): Promise<readonly DeletedModel[]> {
    const rows = await this.database.prisma.$queryRaw<{ name: string }[]>`
      WITH due AS MATERIALIZED (
        SELECT name FROM fine_tuned_models WHERE due_at <= clock_timestamp()
        ORDER BY due_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
      )
      UPDATE fine_tuned_models m SET due_at = clock_timestamp() + ${LEASE_MS} * interval '1 ms'
      FROM due WHERE m.name = due.name
      RETURNING m.name`;
    const found = await this.database.prisma.fineTunedModel.findMany({
      where: { name: { in: rows.map(({ name }) => name) } },
    });
    return found.map((row) => ({ ...toTunedModel(row), failures: row.failures }));
  }

  async bookDeleted({ name }: DeletedModel): Promise<void> {
    await this.database.prisma.fineTunedModel.update({ where: { name }, data: { dueAt: null, failures: 0 } });
  }

  async postpone({ name, failures }: DeletedModel): Promise<void> {
    await this.database.prisma.$executeRaw`
      UPDATE fine_tuned_models SET failures = failures + 1,
        due_at = clock_timestamp() + ${retryDelayMs(failures + 1)} * interval '1 ms'
      WHERE name = ${name}`;
  }
}
