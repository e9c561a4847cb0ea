import { type Database, lockOrganization, prismaOf, seenBy, type Transaction } from '@svc/database';
import { type Slice } from '@svc/kernel';
import { type JobState, OPEN_JOBS_MAX } from '../rules/jobs/job-state';
import {
  toCheckpoint,
  toJob,
  toJobEvent,
  type CheckpointRecord,
  type FineTuningJobRecord,
  type JobEventRecord,
  type JobMetadata,
  type LossRecord,
} from './job-record';

type JobAsOrdered = Pick<
  FineTuningJobRecord,
  | 'id'
  | 'organizationId'
  | 'projectId'
  | 'model'
  | 'trainingFileId'
  | 'validationFileId'
  | 'suffix'
  | 'seed'
  | 'metadata'
  | 'hyperparameters'
  | 'provider'
  | 'upstreamModel'
  | 'region'
  | 'credentialId'
  | 'pricePerToken'
  | 'epochs'
  | 'held'
  | 'modelName'
>;

interface NewFineTuningJob extends JobAsOrdered {
  /** The wallet's part, in basis points of the price. Absent: all. */
  readonly priceBps?: number;
  /** Null where a user asked. */
  readonly apiKeyId: string | null;
  readonly creator: { readonly type: string; readonly id: string };
  readonly idempotency: { readonly key: string; readonly hash: string } | null;
}

interface JobPage {
  readonly limit: number;
  /** Jobs after this one, newest first; null for the first page. */
  readonly after: string | null;
}

interface JobFilter {
  readonly state?: JobState | undefined;
  /** Only jobs with all of these pairs. */
  readonly metadata?: JobMetadata | undefined;
}

interface NumberedPage {
  readonly limit: number;
  /** Those below this number, newest first; null for the first page. */
  readonly below: number | null;
}

/** The number of open jobs of an organization, and the most. */
interface OpenJobs {
  readonly count: number;
  readonly max: number;
}

/** Fine-tuning jobs as people ask for, read and cancel them. A worker moves them on. */
export class FineTuningJobStore {
  constructor(private readonly database: Database) {}

  /** Until the transaction ends, nobody else adds a job. */
  async lockOpen(tx: Transaction, organizationId: string): Promise<OpenJobs> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    const [open] = await prisma.$queryRaw<{ count: number; max: number | null }[]>`
      SELECT fine_tuning_jobs_max AS max, (SELECT count(*)::int FROM fine_tuning_jobs
        WHERE organization_id = o.id AND ended_at IS NULL) AS count
      FROM organizations o WHERE id = ${organizationId}`;
    return { count: open?.count ?? 0, max: open?.max ?? OPEN_JOBS_MAX };
  }

  /**
   * The job that was asked for with this key in the last 24 hours. Must follow {@link lockOpen}.
   * @param projectId the asking key's project, which sees no other job; null for one of the whole organization.
   */
  async findByKey(
    tx: Transaction,
    organizationId: string,
    projectId: string | null,
    key: string,
  ): Promise<{ readonly record: FineTuningJobRecord; readonly hash: string | null } | null> {
    const prisma = prismaOf(tx);
    const [found] = await prisma.$queryRaw<{ id: string }[]>`
      SELECT id FROM fine_tuning_jobs
      WHERE organization_id = ${organizationId} AND project_id IS NOT DISTINCT FROM ${projectId}
        AND idempotency_key = ${key}
        AND created_at > clock_timestamp() - interval '24 h' ORDER BY id DESC LIMIT 1`;
    if (found === undefined) return null;
    const row = await prisma.fineTuningJob.findUniqueOrThrow({ where: { id: found.id } });
    return { record: toJob(row), hash: row.idempotencyHash };
  }

  /**
   * The creator in the names of the organization's models: the one that it has, or the first of these that is free. Must
   * follow {@link lockOpen}.
   */
  async creatorOf(tx: Transaction, organizationId: string, fresh: string): Promise<string> {
    const prisma = prismaOf(tx);
    const known = await prisma.fineTuningCreator.findUnique({ where: { organizationId } });
    if (known !== null) return known.creator;
    await prisma.fineTuningCreator.create({ data: { creator: fresh, organizationId } });
    return fresh;
  }

  /** It is due at once. Its money must be held in the same transaction. */
  async createJob(tx: Transaction, created: NewFineTuningJob): Promise<FineTuningJobRecord> {
    const { creator, pricePerToken, held, idempotency, metadata, hyperparameters, ...rest } = created;
    const row = await prismaOf(tx).fineTuningJob.create({
      data: {
        ...rest,
        ...(metadata === null ? {} : { metadata }),
        hyperparameters: { ...hyperparameters },
        creatorType: creator.type,
        creatorId: creator.id,
        pricePerTokenFemtos: pricePerToken,
        heldNanos: held,
        idempotencyKey: idempotency?.key ?? null,
        idempotencyHash: idempotency?.hash ?? null,
      },
    });
    return toJob(row);
  }

  /** Newest first. @param onlyProject shows only what keys of this project made; null for all. */
  async listJobs(
    organizationId: string,
    { limit, after }: JobPage,
    onlyProject: string | null,
    { state, metadata = {} }: JobFilter = {},
  ): Promise<Slice<FineTuningJobRecord>> {
    const rows = await this.database.prisma.fineTuningJob.findMany({
      where: {
        ...seenBy(organizationId, onlyProject),
        ...(after === null ? {} : { id: { lt: after } }),
        ...(state === undefined ? {} : { state }),
        AND: Object.entries(metadata).map(([name, value]) => ({ metadata: { path: [name], equals: value } })),
      },
      orderBy: { id: 'desc' },
      take: limit + 1,
    });
    return { items: rows.slice(0, limit).map(toJob), hasMore: rows.length > limit };
  }

  async findJob(
    organizationId: string,
    id: string,
    onlyProject: string | null,
  ): Promise<FineTuningJobRecord | null> {
    const where = { ...seenBy(organizationId, onlyProject), id };
    const row = await this.database.prisma.fineTuningJob.findFirst({ where });
    return row && toJob(row);
  }

  /** Locks the job until the transaction ends. */
  async lockJob(
    tx: Transaction,
    organizationId: string,
    id: string,
    onlyProject: string | null,
  ): Promise<FineTuningJobRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM fine_tuning_jobs
      WHERE organization_id = ${organizationId} AND id = ${id} FOR NO KEY UPDATE`;
    const row = await prisma.fineTuningJob.findFirst({
      where: { ...seenBy(organizationId, onlyProject), id },
    });
    return row && toJob(row);
  }

  /** Asks for its end, once. A worker asks the provider, whose answer ends it. @param found locked, and open. */
  async requestCancel(
    tx: Transaction,
    { id }: FineTuningJobRecord,
    cancelledBy: string | null,
  ): Promise<FineTuningJobRecord> {
    const prisma = prismaOf(tx);
    await prisma.$executeRaw`
      UPDATE fine_tuning_jobs SET cancel_requested_at = clock_timestamp(), cancelled_by = ${cancelledBy},
        due_at = least(due_at, clock_timestamp())
      WHERE id = ${id} AND ended_at IS NULL AND cancel_requested_at IS NULL`;
    return toJob(await prisma.fineTuningJob.findUniqueOrThrow({ where: { id } }));
  }

  /** Newest first. */
  async listEvents(jobId: string, page: NumberedPage): Promise<Slice<JobEventRecord>> {
    const rows = await this.database.prisma.fineTuningJobEvent.findMany({
      where: { jobId, ...numbered(page) },
      orderBy: { number: 'desc' },
      take: page.limit + 1,
    });
    return { items: rows.slice(0, page.limit).map(toJobEvent), hasMore: rows.length > page.limit };
  }

  /** Newest first. */
  async listCheckpoints(jobId: string, page: NumberedPage): Promise<Slice<CheckpointRecord>> {
    const rows = await this.database.prisma.fineTuningCheckpoint.findMany({
      where: { jobId, ...numbered(page) },
      orderBy: { number: 'desc' },
      take: page.limit + 1,
    });
    return { items: rows.slice(0, page.limit).map(toCheckpoint), hasMore: rows.length > page.limit };
  }

  /** By step. @param max of how many at most; of a longer job, neighbours are taken together. */
  losses(jobId: string, max: number): Promise<readonly LossRecord[]> {
    return this.database.prisma.$queryRaw<LossRecord[]>`
      SELECT max(step)::int AS step, avg(train_loss) AS "trainLoss", avg(valid_loss) AS "validLoss"
      FROM (
        SELECT step, train_loss, valid_loss, ntile(${max}::int) OVER (ORDER BY step, number) AS part
        FROM fine_tuning_job_events, jsonb_to_record(metrics)
          AS said(step float8, train_loss float8, valid_loss float8)
        WHERE job_id = ${jobId} AND type = 'metrics' AND step BETWEEN 0 AND 2147483647
      ) AS steps
      GROUP BY part ORDER BY part`;
  }
}

const numbered = ({ below }: NumberedPage) => (below === null ? {} : { number: { lt: below } });
