import { nanos } from '@svc/kernel';
import { UnitOfWork, type Database } from '@svc/database';
import { StandingHolds, WalletStore } from '@svc/ledger/store';
import { systemIds } from '@svc/runtime';
import { createLogger } from '@svc/runtime/observability';
import { type FineTuningJobRecord } from '../store/job-record';
import { FineTuningJobStore } from '../store/job-store';
import { FineTuningJobWork } from '../work/job-work';
import { type JobWorking, workOnJob } from '../work/work-on-job';
import { ScriptedFineTuning } from './scripted-fine-tuning';

/** Femto-dollars: 2 nano-dollars a token. */
const PRICE = 2_000_000n;
export const HELD_TOKENS = 1_000n;
const CREDIT = 1_000_000;
const STEPS_MAX = 60;

/** An organization with credit and a job, a provider, and workers that can be killed. */
export class JobWorld {
  readonly provider = new ScriptedFineTuning();
  readonly store: FineTuningJobStore;
  readonly work: FineTuningJobWork;
  readonly organizationId = systemIds('organization');
  readonly fileId = systemIds('file');
  readonly stopping = new AbortController();
  pollFailures = 0;

  private constructor(readonly database: Database) {
    this.store = new FineTuningJobStore(database);
    this.work = new FineTuningJobWork(database);
  }

  static async open(database: Database): Promise<JobWorld> {
    const world = new JobWorld(database);
    const { prisma } = database;
    await prisma.organization.create({ data: { id: world.organizationId, name: 'Acme' } });
    await new WalletStore(database).credit(world.organizationId, nanos(CREDIT), 'test');
    await prisma.trainingFile.create({
      data: {
        ...{ id: world.fileId, organizationId: world.organizationId, filename: 'f', partBytes: 1 },
        ...{ keyCiphertext: Buffer.of(1), creatorType: 'api_key', creatorId: 'key_1', state: 'processed' },
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    return world;
  }

  /** A job whose money is held. */
  newJob(options: { readonly validationFileId?: string } = {}): Promise<FineTuningJobRecord> {
    const id = systemIds('fineTuningJob');
    const held = nanos((HELD_TOKENS * PRICE) / 1_000_000n);
    const common = { id, organizationId: this.organizationId, projectId: null, apiKeyId: 'key_1' };
    const placed = { model: 'acme/small', provider: 'acme' };
    return new UnitOfWork(this.database).transaction(async (tx) => {
      await new StandingHolds().open(tx, { ...common, ...placed, kind: 'fine_tuning', amount: held });
      return this.store.createJob(tx, {
        ...{ ...common, ...placed, held, trainingFileId: this.fileId, validationFileId: null },
        ...{ suffix: null, seed: 1, metadata: null, idempotency: null, credentialId: null },
        creator: { type: 'api_key', id: 'key_1' },
        hyperparameters: { epochs: 3, batchSize: 'auto', learningRateMultiplier: 'auto' },
        upstreamModel: 'small-1',
        region: 'eu',
        pricePerToken: PRICE,
        epochs: 3,
        modelName: `ft-abcdefgh/small-${id.slice(-12)}-abcdef`,
        ...options,
      });
    });
  }

  working(changes: Partial<JobWorking> = {}): JobWorking {
    return {
      work: this.work,
      providerOf: () => Promise.resolve(this.provider),
      readFile: () => Promise.resolve({ bytes: 2, content: pieces }),
      pollMs: 0,
      logger: createLogger({ service: 'worker', level: 'silent' }),
      onPollFailure: () => {
        this.pollFailures += 1;
      },
      stopping: this.stopping.signal,
      ...changes,
    };
  }

  /** Lets workers go on until `isThere`. One that is killed leaves its lease, which then runs out. */
  async runUntil(
    job: FineTuningJobRecord,
    isThere: (job: FineTuningJobRecord) => boolean,
  ): Promise<FineTuningJobRecord> {
    for (let steps = 0; steps < STEPS_MAX; steps++) {
      const now = await this.now(job);
      if (isThere(now)) return now;
      await this.step();
    }
    throw new Error('The job did not get there.');
  }

  /** Lets workers go on until nothing is left to do. */
  async runToItsEnd(job: FineTuningJobRecord): Promise<FineTuningJobRecord> {
    for (let steps = 0; steps < STEPS_MAX; steps++) {
      const { dueAt } = await this.database.prisma.fineTuningJob.findUniqueOrThrow({
        where: { id: job.id },
      });
      if (dueAt === null) return this.now(job);
      await this.step();
    }
    throw new Error('The job did not end.');
  }

  /** One step of one worker, as soon as it may take it. */
  async step(): Promise<void> {
    await this.database.pool.query(
      `UPDATE fine_tuning_jobs SET due_at = least(due_at, now()), lease_until = NULL WHERE due_at IS NOT NULL`,
    );
    const killsBefore = this.provider.kills;
    const isDead = () => this.provider.kills > killsBefore;
    await workOnJob(this.working({ work: new MortalWork(this.database, isDead) }));
  }

  async now({ id }: Pick<FineTuningJobRecord, 'id'>): Promise<FineTuningJobRecord> {
    const found = await this.store.findJob(this.organizationId, id, null);
    if (found === null) throw new Error('The job is gone.');
    return found;
  }

  async wallet() {
    const { balanceNanos, heldNanos } = await this.database.prisma.wallet.findUniqueOrThrow({
      where: { organizationId: this.organizationId },
    });
    return { spent: BigInt(CREDIT) - balanceNanos, held: heldNanos };
  }

  /** Type and data of each event of the organization's jobs. */
  async told(): Promise<readonly { readonly type: string; readonly data: Record<string, unknown> }[]> {
    const rows = await this.database.prisma.outboxEvent.findMany({
      where: { organizationId: this.organizationId, type: { startsWith: 'fine_tuning.' } },
    });
    return rows.map(({ type, payload }) => ({
      type,
      data: (JSON.parse(payload) as { data: Record<string, unknown> }).data,
    }));
  }
}

/** A killed worker postpones nothing: it is gone. */
class MortalWork extends FineTuningJobWork {
  constructor(
    database: Database,
    private readonly isDead: () => boolean,
  ) {
    super(database);
  }

  override async postpone(...given: Parameters<FineTuningJobWork['postpone']>): Promise<void> {
    if (!this.isDead()) await super.postpone(...given);
  }
}

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from('{}'));
}
