import { type Database } from '../database/database';
import { LeaseLostError } from '../database/lease-lost-error';
import { prismaOf, type Transaction, UnitOfWork } from '../database/unit-of-work';
import { type FineTuningEndpoint, type FineTuningEndpointRun } from '../generated/prisma/client';

/** A worker's right to go on with a run. It ends with its time, and with a later claim. */
export interface EndpointRunLease {
  readonly id: string;
  readonly fence: bigint;
}

/** What a step is decided by: the run is locked, and the time is the database's. */
export interface LockedRun {
  readonly tx: Transaction;
  readonly run: FineTuningEndpointRun;
  readonly endpoint: FineTuningEndpoint;
  readonly isModelDeleted: boolean;
  readonly isSuspended: boolean;
  readonly now: Date;
}

const LEASE_MS = 60_000;

/**
 * Claims of runs. A run is due earlier when somebody orders something, but never while a worker has it: a question that is under way
 * at the provider is answered, or has ended with its bound, before anybody asks another.
 */
export class EndpointLeases {
  private readonly unitOfWork: UnitOfWork;

  constructor(
    private readonly database: Database,
    private readonly leaseMs = LEASE_MS,
  ) {
    this.unitOfWork = new UnitOfWork(database);
  }

  /** @returns the run that has been due for longest; null without one. */
  async claim(): Promise<EndpointRunLease | null> {
    const { rows } = await this.database.background.query<{ id: string; fence: string }>(CLAIM, [
      this.leaseMs,
    ]);
    const [row] = rows;
    return row === undefined ? null : { id: row.id, fence: BigInt(row.fence) };
  }

  /** Works under the lock of the run. @throws LeaseLostError when another worker has it. */
  within<T>({ id, fence }: EndpointRunLease, work: (locked: LockedRun) => Promise<T>): Promise<T> {
    return this.unitOfWork.transaction(async (tx) => {
      const prisma = prismaOf(tx);
      const [locked] = await prisma.$queryRaw<{ now: Date }[]>`
        SELECT clock_timestamp() AS now FROM fine_tuning_endpoint_runs
        WHERE id = ${id} AND fence = ${fence} FOR NO KEY UPDATE`;
      if (locked === undefined) throw new LeaseLostError('another worker has the run');
      const { endpoint, ...run } = await prisma.fineTuningEndpointRun.findUniqueOrThrow({
        where: { id },
        include: { endpoint: true },
      });
      const [standing] = await prisma.$queryRaw<{ isModelDeleted: boolean; isSuspended: boolean }[]>`
        SELECT NOT EXISTS (SELECT FROM fine_tuned_models m WHERE m.name = ${run.model} AND m.deleted_at IS NULL) AS "isModelDeleted",
          NOT EXISTS (SELECT FROM organizations o WHERE o.id = ${run.organizationId} AND o.state = 'active') AS "isSuspended"`;
      if (standing === undefined) throw new Error('A query without a table has a row');
      return work({ tx, run, endpoint, ...standing, now: locked.now });
    });
  }

  /** Gives a run back. @param dueAt when somebody goes on with it; null where nothing is left to do. */
  async giveBack(tx: Transaction, { id }: Pick<EndpointRunLease, 'id'>, dueAt: Date | null): Promise<void> {
    await prismaOf(tx).$executeRaw`
      UPDATE fine_tuning_endpoint_runs SET due_at = ${dueAt}, lease_until = NULL, failures = 0 WHERE id = ${id}`;
  }

  /** Gives a run back whose turn failed: it is due again after a pause. Nothing happens where another worker has it. */
  async postpone({ id, fence }: EndpointRunLease): Promise<void> {
    await this.database.background.query(
      `UPDATE fine_tuning_endpoint_runs SET lease_until = NULL, failures = failures + 1,
         due_at = clock_timestamp() + least(2 ^ least(failures, 6), ${String(PAUSE_SECONDS_MAX)}) * interval '1 s'
       WHERE id = $1 AND fence = $2`,
      [id, fence],
    );
  }
}

const PAUSE_SECONDS_MAX = 30;

const CLAIM = `
  UPDATE fine_tuning_endpoint_runs SET fence = fence + 1, lease_until = clock_timestamp() + $1 * interval '1 ms'
  WHERE id = (SELECT id FROM fine_tuning_endpoint_runs
    WHERE due_at <= clock_timestamp() AND (lease_until IS NULL OR lease_until <= clock_timestamp())
    ORDER BY due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING id, fence`;
