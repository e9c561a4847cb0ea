import { type Claim, type Database, LeasedWork, prismaOf, type Transaction, UnitOfWork } from '@svc/database';
import { type FineTuningEndpoint, type FineTuningEndpointRun } from '@svc/database/rows';

/** The facts that decide a step: the run is locked, and the time is the database's. */
export interface LockedRun {
  readonly tx: Transaction;
  readonly run: FineTuningEndpointRun;
  readonly endpoint: FineTuningEndpoint;
  readonly isModelDeleted: boolean;
  readonly isSuspended: boolean;
  readonly now: Date;
}

const RUNS = { table: 'fine_tuning_endpoint_runs', what: 'the run' };

/**
 * Claims of runs. A run is due earlier when somebody orders something, but never while a worker has it: a question that is under way
 * at the provider is answered, or has ended with its bound, before anybody asks another.
 */
export class EndpointLeases {
  private readonly unitOfWork: UnitOfWork;
  private readonly leases: LeasedWork;

  constructor(database: Database, leaseMs?: number) {
    this.leases = new LeasedWork(database, RUNS, leaseMs);
    this.unitOfWork = new UnitOfWork(database);
  }

  /** Asks whether any run may be claimed. */
  isDue(): Promise<boolean> {
    return this.leases.isDue();
  }

  /** @returns the run that has been due for longest; null without one. */
  claim(): Promise<Claim | null> {
    return this.leases.claimOne();
  }

  /** Works under the lock of the run. @throws LeaseLostError when another worker has it. */
  within<T>(lease: Claim, work: (locked: LockedRun) => Promise<T>): Promise<T> {
    return this.unitOfWork.transaction(async (tx) => {
      const prisma = prismaOf(tx);
      const { now } = await this.leases.lock<{ now: Date }>(tx, lease, 'clock_timestamp() AS now');
      const { endpoint, ...run } = await prisma.fineTuningEndpointRun.findUniqueOrThrow({
        where: { id: lease.id },
        include: { endpoint: true },
      });
      const [standing] = await prisma.$queryRaw<{ isModelDeleted: boolean; isSuspended: boolean }[]>`
        SELECT NOT EXISTS (SELECT FROM fine_tuned_models m WHERE m.name = ${run.model} AND m.deleted_at IS NULL) AS "isModelDeleted",
          NOT EXISTS (SELECT FROM organizations o WHERE o.id = ${run.organizationId} AND o.state = 'active') AS "isSuspended"`;
      if (standing === undefined) throw new Error('A query without a table has a row');
      return work({ tx, run, endpoint, ...standing, now });
    });
  }

  /** Gives a run back. @param dueAt when somebody goes on with it; null where nothing is left to do. */
  async giveBack(tx: Transaction, lease: Claim, dueAt: Date | null): Promise<void> {
    await this.leases.giveBack(lease, 'due_at = $3::timestamptz, failures = 0', [dueAt], tx);
  }

  /** Gives a run back whose turn failed: it is due again after a pause. Nothing happens where another worker has it. */
  async postpone(lease: Claim): Promise<void> {
    await this.leases.giveBack(lease, AFTER_A_PAUSE);
  }
}

const PAUSE_SECONDS_MAX = 30;
const AFTER_A_PAUSE = `failures = failures + 1,
  due_at = clock_timestamp() + least(2 ^ least(failures, 6), ${String(PAUSE_SECONDS_MAX)}) * interval '1 s'`;
