import {
  type Claim,
  type Database,
  LeasedWork,
  Outbox,
  prismaOf,
  type Transaction,
  UnitOfWork,
} from '@svc/database';
import { recordEvent, type EventData, type EventType } from '@svc/events';
import { nanosToJson, ZERO_NANOS, type Clock, type NewId } from '@svc/kernel';
import { StandingHolds } from '@svc/ledger/store';
import { systemClock, systemIds } from '@svc/runtime';
import { retold } from '../rules/jobs/job-copies';
import { priceOfTokens } from '../rules/jobs/job-money';
import { paidParts } from '../rules/prices/paid-parts';
import { type JobFailureCode } from '../rules/jobs/job-state';
import { failureMessage, type JobVerdict } from '../rules/jobs/judge-job';
import { isGivenUp, retryDelayMs } from '../rules/jobs/retry-times';
import {
  type ProviderCheckpoint,
  type ProviderJob,
  type ProviderJobEvent,
} from '../rules/provider/fine-tuning-provider';
import { useFile } from '../store/file-use';
import { mirrorCheckpoints, mirrorEvents } from '../store/job-mirror';
import { toJob, type FineTuningJobRecord } from '../store/job-record';

const JOBS = { table: 'fine_tuning_jobs', what: 'the job' };

/** A worker's right to move a job on. It ends with its time, and with a later claim. */
export interface JobLease {
  readonly job: FineTuningJobRecord;
  readonly fence: bigint;
  /** Tries in a row that came to nothing. */
  readonly failures: number;
  readonly unreachableSince: Date | null;
  /** By the provider's id; null where none was mirrored yet. */
  readonly lastUpstreamEvent: string | null;
}

/** A provider's report on a job. */
export interface JobReport {
  readonly job: ProviderJob;
  readonly events: readonly ProviderJobEvent[];
  readonly checkpoints: readonly ProviderCheckpoint[];
}

/** The result of one step at the provider. */
interface NotedStep {
  readonly upstreamTrainingFile?: string;
  readonly upstreamValidationFile?: string;
  readonly upstreamJob?: string;
}

/**
 * Moves jobs on, one committed step at a time. No transaction is open while the provider is asked: each claim takes a
 * higher fence, and only the last one may write. A job stays due until it has ended and nothing of it is left at the
 * provider, so a crash anywhere leads to the same step again.
 */
export class FineTuningJobWork {
  private readonly unitOfWork: UnitOfWork;
  private readonly holds: StandingHolds;
  private readonly outbox = new Outbox();
  private readonly leases: LeasedWork;

  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
    private readonly clock: Clock = systemClock,
  ) {
    this.leases = new LeasedWork(database, JOBS);
    this.unitOfWork = new UnitOfWork(database);
    this.holds = new StandingHolds(newId);
  }

  /** Asks whether any job may be claimed. */
  isDue(): Promise<boolean> {
    return this.leases.isDue();
  }

  /** Claims what is due, the longest due first. @returns at most `limit` leases. */
  async claim(limit: number): Promise<readonly JobLease[]> {
    const fences = new Map((await this.leases.claim(limit)).map(({ id, fence }) => [id, fence]));
    const found = await this.database.prisma.fineTuningJob.findMany({
      where: { id: { in: [...fences.keys()] } },
    });
    return found.map((row) => ({
      job: toJob(row),
      fence: fences.get(row.id) ?? row.fence,
      failures: row.failures,
      unreachableSince: row.unreachableSince,
      lastUpstreamEvent: row.lastUpstreamEvent,
    }));
  }

  /** Says that the work goes on. @throws LeaseLostError when another worker has the job. */
  prolong(lease: JobLease): Promise<void> {
    return this.leases.prolong(claimOf(lease));
  }

  /** Commits what the provider calls a thing of the job. The next step is due at once. @throws LeaseLostError */
  recordStep(lease: JobLease, { upstreamJob, ...files }: NotedStep): Promise<void> {
    return this.leased(lease, async (tx) => {
      const data = {
        ...files,
        ...(upstreamJob === undefined
          ? {}
          : { upstreamJob, state: 'queued', startedAt: new Date(this.clock.now()) }),
        ...ANSWERED,
        dueAt: new Date(0),
      };
      await prismaOf(tx).fineTuningJob.update({ where: { id: lease.job.id }, data });
    });
  }

  /**
   * Books an answer: new events and checkpoints once, and what follows from it. @param pollMs until it is asked again.
   * @throws LeaseLostError
   */
  bookReport(lease: JobLease, said: JobReport, verdict: JobVerdict, pollMs: number): Promise<void> {
    if (verdict.action === 'askAgain') return this.postpone(lease, 'unreachable');
    return this.leased(lease, async (tx, job) => {
      await this.mirror(tx, job, said);
      const { epochs, estimatedFinishAt } = said.job;
      const state = verdict.action === 'continue' ? verdict.state : job.state;
      await prismaOf(tx).fineTuningJob.update({
        where: { id: job.id },
        data: { ...ANSWERED, trainedEpochs: epochs, estimatedFinishAt, state },
      });
      switch (verdict.action) {
        case 'continue':
          // A cancellation that came while the provider was asked does not wait.
          await this.dueIn(tx, job.id, isCancelledSince(lease, job) ? 0 : pollMs);
          return;
        case 'succeed':
          await this.succeed(tx, job, verdict);
          return;
        case 'cancel':
          await this.cancel(tx, job, verdict.trainedTokens);
          return;
        case 'fail':
          await this.fail(tx, job, verdict.code, verdict.message);
      }
    });
  }

  /** Ends a job that the provider never had as cancelled. @throws LeaseLostError */
  cancelUncreated(lease: JobLease): Promise<void> {
    return this.leased(lease, (tx, job) => this.cancel(tx, job, 0n));
  }

  /** Ends a job that the provider refuses. @throws LeaseLostError */
  bookRefusal(lease: JobLease, code: JobFailureCode, providerCode: string | null): Promise<void> {
    return this.leased(lease, (tx, job) => this.fail(tx, job, code, failureMessage(code, providerCode)));
  }

  /**
   * Notes a try that came to nothing: the next one waits longer. A job whose provider is silent for too long has failed.
   * @throws LeaseLostError
   */
  postpone(lease: JobLease, trouble: 'unreachable' | 'forgotten'): Promise<void> {
    return this.leased(lease, async (tx, job) => {
      const prisma = prismaOf(tx);
      const failures = lease.failures + 1;
      const [row] = await prisma.$queryRaw<{ since: Date; now: Date }[]>`
        UPDATE fine_tuning_jobs SET failures = ${failures},
          unreachable_since = coalesce(unreachable_since, clock_timestamp())
        WHERE id = ${job.id} RETURNING unreachable_since AS since, clock_timestamp() AS now`;
      await this.dueIn(tx, job.id, retryDelayMs(failures));
      if (job.endedAt !== null || row === undefined || !isGivenUp(row.since, row.now, trouble)) return;
      const code = trouble === 'forgotten' ? 'provider_error' : 'provider_unreachable';
      await this.fail(tx, job, code, failureMessage(code));
    });
  }

  /** Nothing of an ended job is left at the provider. @throws LeaseLostError */
  bookCleaned(lease: JobLease): Promise<void> {
    return this.leased(lease, async (tx, { id }) => {
      const data = { ...ANSWERED, upstreamTrainingFile: null, upstreamValidationFile: null, dueAt: null };
      await prismaOf(tx).fineTuningJob.update({ where: { id }, data });
    });
  }

  private async succeed(
    tx: Transaction,
    job: FineTuningJobRecord,
    { trainedTokens, upstreamModel }: Extract<JobVerdict, { action: 'succeed' }>,
  ): Promise<void> {
    const prisma = prismaOf(tx);
    await prisma.fineTunedModel.create({
      data: {
        name: job.modelName,
        organizationId: job.organizationId,
        projectId: job.projectId,
        jobId: job.id,
        baseModel: job.model,
        provider: job.provider,
        upstreamModel,
        region: job.region,
        credentialId: job.credentialId,
      },
    });
    const charged = await this.end(tx, job, 'succeeded', trainedTokens, {});
    await this.announce(tx, job, 'fine_tuning.job.succeeded', {
      ...eventOf(job, Number(trainedTokens), charged),
      fine_tuned_model: job.modelName,
    });
  }

  private async cancel(tx: Transaction, job: FineTuningJobRecord, trainedTokens: bigint): Promise<void> {
    const charged = await this.end(tx, job, 'cancelled', trainedTokens, {});
    await this.announce(tx, job, 'fine_tuning.job.cancelled', {
      ...eventOf(job, Number(trainedTokens), charged),
      cancelled_by: job.cancelledBy,
    });
  }

  private async fail(
    tx: Transaction,
    job: FineTuningJobRecord,
    code: JobFailureCode,
    message: string,
  ): Promise<void> {
    const charged = await this.end(tx, job, 'failed', null, { failureCode: code, failureMessage: message });
    await this.announce(tx, job, 'fine_tuning.job.failed', {
      ...eventOf(job, null, charged),
      failure_code: code,
    });
  }

  /** Ends the job and settles its hold: the tokens are charged, at most what was held. @returns what was charged. */
  private async end(
    tx: Transaction,
    job: FineTuningJobRecord,
    state: 'succeeded' | 'failed' | 'cancelled',
    trainedTokens: bigint | null,
    failure: { readonly failureCode?: string; readonly failureMessage?: string },
  ) {
    const prisma = prismaOf(tx);
    const { id, trainingFileId, validationFileId } = job;
    for (const fileId of [trainingFileId, validationFileId]) if (fileId !== null) await useFile(tx, fileId);
    const cost = paidParts(job, (bps) => priceOfTokens(trainedTokens ?? 0n, job.pricePerToken, bps));
    // The wallet comes last, because calls of the organization wait from here to the commit.
    const charged = (await this.holds.settle(tx, id, cost.charge, cost.providerCost)) ?? ZERO_NANOS;
    await prisma.fineTuningJob.update({
      where: { id },
      data: {
        state,
        trainedTokens,
        ...failure,
        chargedNanos: charged,
        endedAt: new Date(this.clock.now()),
        estimatedFinishAt: null,
        failures: 0,
        // Its copies at the provider are deleted next.
        dueAt: new Date(0),
      },
    });
    return charged;
  }

  private async mirror(tx: Transaction, job: FineTuningJobRecord, said: JobReport): Promise<void> {
    const names = { ...job, jobId: job.id, upstreamModel: said.job.fineTunedModel };
    await mirrorEvents(
      tx,
      job.id,
      said.events.map((event) => ({ ...event, message: retold(event.message, names) })),
    );
    await mirrorCheckpoints(tx, job.id, said.checkpoints);
  }

  private async dueIn(tx: Transaction, id: string, delayMs: number): Promise<void> {
    await prismaOf(tx).$executeRaw`
      UPDATE fine_tuning_jobs SET due_at = clock_timestamp() + ${delayMs} * interval '1 ms' WHERE id = ${id}`;
  }

  private async leased(
    lease: JobLease,
    work: (tx: Transaction, job: FineTuningJobRecord) => Promise<void>,
  ): Promise<void> {
    await this.unitOfWork.transaction(async (tx) => {
      await this.leases.lock(tx, claimOf(lease));
      const where = { id: lease.job.id };
      const row = await prismaOf(tx).fineTuningJob.update({ where, data: { leaseUntil: null } });
      await work(tx, toJob(row));
    });
  }

  private announce<T extends EventType>(
    tx: Transaction,
    { organizationId }: FineTuningJobRecord,
    type: T,
    data: EventData[T],
  ): Promise<void> {
    const event = recordEvent(this.newId('event'), type, organizationId, this.clock.now(), data);
    return this.outbox.append(tx, event);
  }
}

const isCancelledSince = (lease: JobLease, now: FineTuningJobRecord): boolean =>
  lease.job.cancelRequestedAt === null && now.cancelRequestedAt !== null;

const ANSWERED = { failures: 0, unreachableSince: null };

const claimOf = ({ job: { id }, fence }: JobLease): Claim => ({ id, fence });

const eventOf = <Tokens extends number | null>(
  { id, model }: FineTuningJobRecord,
  trainedTokens: Tokens,
  charged: FineTuningJobRecord['charged'],
) => ({
  fine_tuning_job_id: id,
  base_model: model,
  trained_tokens: trainedTokens,
  charged_nanos: nanosToJson(charged),
});
