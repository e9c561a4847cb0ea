import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { type FineTuningProvider } from '../rules/provider/fine-tuning-provider';
import { ProviderRefusal, ProviderUnreachable } from '../rules/provider/provider-failure';
import { HELD_TOKENS, JobWorld } from '../testing/job-world';
import { boundedProvider } from './bounded-provider';
import { Hangs, Killed } from '../testing/scripted-fine-tuning';
import { workOnJob } from './work-on-job';

let test: TestDatabase;
let world: JobWorld;
beforeEach(async () => {
  test = await emptyTestDatabase();
  world = await JobWorld.open(test.database);
});
afterEach(() => test.close());

const succeeded = { status: 'succeeded', trainedTokens: 400n, fineTunedModel: 'ft:small:1' } as const;
const event = (number: number) => ({
  id: `ev-${String(number)}`,
  createdAt: new Date(number * 1_000),
  level: 'info' as const,
  type: 'message' as const,
  message: `Step ${String(number)}`,
  metrics: null,
});

/** As it is once the provider has the job. */
const isQueued = ({ state }: { readonly state: string }) => state === 'queued';

describe('a job', () => {
  it('is brought to its provider, polled, charged, made a model of, and leaves no copies behind', async () => {
    const job = await world.newJob({ validationFileId: world.fileId });
    await world.runUntil(job, isQueued);
    expect([...world.provider.files.values()]).toEqual([
      `${job.id}-training.jsonl`,
      `${job.id}-validation.jsonl`,
    ]);
    world.provider.say(job.id, { status: 'running' });
    await world.runUntil(job, ({ state }) => state === 'running');
    expect(await world.wallet()).toEqual({ spent: 0n, held: 2_000n });
    world.provider.say(job.id, succeeded);
    const ended = await world.runToItsEnd(job);
    expect(ended).toMatchObject({ state: 'succeeded', trainedTokens: 400n, charged: 800n });
    expect(await world.wallet()).toEqual({ spent: 800n, held: 0n });
    expect(world.provider.files.size).toBe(0);
    expect(await test.database.prisma.fineTunedModel.findMany()).toMatchObject([
      { name: job.modelName, organizationId: world.organizationId, upstreamModel: 'ft:small:1' },
    ]);
    expect(await world.told()).toEqual([
      {
        type: 'fine_tuning.job.succeeded',
        data: {
          fine_tuning_job_id: job.id,
          base_model: 'acme/small',
          trained_tokens: 400,
          charged_nanos: 800,
          fine_tuned_model: job.modelName,
        },
      },
    ]);
    const file = await test.database.prisma.trainingFile.findUniqueOrThrow({ where: { id: world.fileId } });
    expect(file.lastUsedAt).not.toBeNull();
  });

  it('that trained more than was held for costs what was held, and the rest is the platform’s', async () => {
    const job = await world.newJob();
    await world.runUntil(job, isQueued);
    world.provider.say(job.id, { ...succeeded, trainedTokens: HELD_TOKENS + 500n });
    expect(await world.runToItsEnd(job)).toMatchObject({ charged: 2_000n });
    const transfers = await test.database.prisma.ledgerTransfer.findMany({ where: { holdId: job.id } });
    expect(transfers.map(({ kind, amountNanos }) => [kind, amountNanos]).sort()).toEqual([
      ['fine_tuning', 2_000n],
      ['overrun', 1_000n],
    ]);
  });

  it('is not ended by a success that names no model yet', async () => {
    const job = await world.newJob();
    await world.runUntil(job, isQueued);
    world.provider.say(job.id, { ...succeeded, fineTunedModel: null });
    for (let step = 0; step < 3; step++) await world.step();
    expect(await world.now(job)).toMatchObject({ state: 'queued' });
    world.provider.say(job.id, succeeded);
    expect(await world.runToItsEnd(job)).toMatchObject({ state: 'succeeded' });
  });

  it('tells events and checkpoints once, with our names, however often the provider repeats them', async () => {
    const job = await world.newJob();
    const { upstreamJob } = await world.runUntil(job, isQueued);
    world.provider.events = [event(1), { ...event(2), message: `Job ${upstreamJob ?? ''} runs` }];
    world.provider.checkpoints = [
      { id: 'cp-1', createdAt: new Date(5), stepNumber: 10, metrics: { train_loss: 0.5 } },
    ];
    await world.step();
    // It forgot which events were told, and tells one twice.
    await test.database.pool.query('UPDATE fine_tuning_jobs SET last_upstream_event = NULL');
    world.provider.events = [...world.provider.events, event(3), event(3)];
    world.provider.checkpoints = [...world.provider.checkpoints, ...world.provider.checkpoints];
    world.provider.say(job.id, succeeded);
    await world.runToItsEnd(job);
    const page = { limit: 10, below: null };
    const { items } = await world.store.listEvents(job.id, page);
    expect(items.map(({ message }) => message)).toEqual(['Step 3', `Job ${job.id} runs`, 'Step 1']);
    const checkpoints = await world.store.listCheckpoints(job.id, page);
    expect(checkpoints.items).toMatchObject([{ stepNumber: 10, metrics: { train_loss: 0.5 } }]);
  });
});

describe('a worker that is killed', () => {
  const questions: readonly (keyof FineTuningProvider)[] = [
    'findFile',
    'uploadFile',
    'findJob',
    'createJob',
    'readJob',
    'listEvents',
    'listCheckpoints',
    'deleteFile',
  ];
  it.each(questions.flatMap((at) => [true, false].map((after) => ({ at, after }))))(
    'at $at (after it: $after) leaves one job, one charge and no copy',
    async ({ at, after }) => {
      const job = await world.newJob({ validationFileId: world.fileId });
      world.provider.trouble = { at, after, error: new Killed('killed') };
      for (let steps = 0; steps < 10; steps++) await world.step();
      world.provider.say(job.id, succeeded);
      expect(await world.runToItsEnd(job)).toMatchObject({ state: 'succeeded', charged: 800n });
      expect(world.provider.kills).toBe(1);
      expect(world.provider.jobs.size).toBe(1);
      expect(world.provider.files.size).toBe(0);
      expect(await world.wallet()).toEqual({ spent: 800n, held: 0n });
      expect(await world.told()).toHaveLength(1);
    },
  );

  it('keeps the job from others until its lease runs out, and can write nothing after that', async () => {
    const job = await world.newJob();
    const [lease] = await world.work.claim(1);
    expect(await world.work.claim(1)).toEqual([]);
    await test.database.pool.query(`UPDATE fine_tuning_jobs SET lease_until = now() - interval '1 ms'`);
    const [next] = await world.work.claim(1);
    await expect(world.work.recordStep(lease!, { upstreamJob: 'late' })).rejects.toThrow('another worker');
    await expect(world.work.prolong(lease!)).rejects.toThrow('another worker');
    await world.work.prolong(next!);
    expect(await world.now(job)).toMatchObject({ upstreamJob: null });
  });

  it('while several others go on at once makes no second charge', async () => {
    const job = await world.newJob();
    await world.runUntil(job, isQueued);
    world.provider.say(job.id, succeeded);
    for (let round = 0; round < 5; round++) {
      await test.database.pool.query(
        'UPDATE fine_tuning_jobs SET due_at = least(due_at, now()), lease_until = NULL WHERE due_at IS NOT NULL',
      );
      await Promise.all(Array.from({ length: 4 }, () => workOnJob(world.working())));
    }
    expect(await world.wallet()).toEqual({ spent: 800n, held: 0n });
    expect(await world.told()).toHaveLength(1);
  });
});

describe('a provider', () => {
  it('that does not answer is asked again later, and later still', async () => {
    const job = await world.newJob();
    world.provider.isDown = true;
    await world.step();
    await world.step();
    expect(world.pollFailures).toBe(2);
    const row = await test.database.prisma.fineTuningJob.findUniqueOrThrow({ where: { id: job.id } });
    expect(row).toMatchObject({ failures: 2, state: 'validating_files', leaseUntil: null });
    expect(row.dueAt!.getTime()).toBeGreaterThan(Date.now() + 5_000);
    world.provider.isDown = false;
    await world.runUntil(job, isQueued);
    expect(await world.now(job)).toMatchObject({ state: 'queued' });
  });

  it('that hangs is given up, and what it did all the same is found', async () => {
    const job = await world.newJob();
    const providerOf = () => Promise.resolve(boundedProvider(world.provider, { answerMs: 50, uploadMs: 50 }));
    world.provider.trouble = { at: 'createJob', after: true, error: new Hangs() };
    for (let steps = 0; steps < 6; steps++) {
      await test.database.pool.query('UPDATE fine_tuning_jobs SET due_at = now()');
      await workOnJob(world.working({ providerOf }));
    }
    expect(world.pollFailures).toBe(1);
    expect(world.provider.jobs.size).toBe(1);
    expect(await world.now(job)).toMatchObject({ state: 'queued' });
  });

  it('that takes what it was asked for and answers nothing has one job all the same', async () => {
    const job = await world.newJob();
    for (const at of ['uploadFile', 'createJob'] as const) {
      world.provider.trouble = { at, after: true, error: new ProviderUnreachable('no answer') };
      await world.runUntil(job, () => world.provider.trouble === null);
    }
    await world.runUntil(job, isQueued);
    expect([world.provider.jobs.size, world.provider.files.size]).toEqual([1, 1]);
  });

  it('that is out of reach for 72 hours fails the job, and costs nothing', async () => {
    const job = await world.newJob();
    await world.runUntil(job, isQueued);
    world.provider.isDown = true;
    await world.step();
    await test.database.pool.query(
      `UPDATE fine_tuning_jobs SET unreachable_since = now() - interval '72 hours 1 second'`,
    );
    await world.step();
    expect(await world.now(job)).toMatchObject({
      state: 'failed',
      charged: 0n,
      trainedTokens: null,
      failure: { code: 'provider_unreachable' },
    });
    expect(await world.wallet()).toEqual({ spent: 0n, held: 0n });
    // Once it is back, nothing of the job goes on there.
    world.provider.isDown = false;
    await world.runToItsEnd(job);
    expect([...world.provider.jobs.values()]).toMatchObject([{ status: 'cancelled' }]);
    expect(world.provider.files.size).toBe(0);
  });

  it('that forgot the job is believed after an hour', async () => {
    const job = await world.newJob();
    await world.runUntil(job, isQueued);
    world.provider.jobs.clear();
    await world.step();
    expect(await world.now(job)).toMatchObject({ state: 'queued' });
    await test.database.pool.query(
      `UPDATE fine_tuning_jobs SET unreachable_since = now() - interval '61 minutes'`,
    );
    expect(await world.runToItsEnd(job)).toMatchObject({
      state: 'failed',
      failure: { code: 'provider_error' },
    });
  });

  it.each([
    ['the file', 'file', 'training_file_rejected'],
    ['the job', 'other', 'provider_error'],
  ] as const)('that refuses %s fails the job', async (_, subject, code) => {
    const job = await world.newJob();
    const error = new ProviderRefusal('no: the prompt was hello', 'invalid_thing', subject);
    world.provider.trouble = { at: 'createJob', after: false, error };
    const ended = await world.runToItsEnd(job);
    expect(ended).toMatchObject({ state: 'failed', failure: { code } });
    expect(ended.failure?.message).toContain('(invalid_thing)');
    expect(ended.failure?.message).not.toContain('hello');
    expect(await world.wallet()).toEqual({ spent: 0n, held: 0n });
    expect(world.provider.files.size).toBe(0);
    expect(await world.told()).toMatchObject([
      {
        type: 'fine_tuning.job.failed',
        data: { trained_tokens: null, charged_nanos: 0, failure_code: code },
      },
    ]);
  });

  it('that keeps a copy of a file is told to delete it until it does', async () => {
    const job = await world.newJob();
    await world.runUntil(job, isQueued);
    world.provider.say(job.id, succeeded);
    await world.runUntil(job, ({ state }) => state === 'succeeded');
    world.provider.isDown = true;
    for (let step = 0; step < 3; step++) await world.step();
    expect(world.provider.files.size).toBe(1);
    world.provider.isDown = false;
    await world.runToItsEnd(job);
    expect(world.provider.files.size).toBe(0);
  });
});

describe('a cancellation', () => {
  const cancel = (id: string) =>
    test.database.pool.query(
      `UPDATE fine_tuning_jobs SET cancel_requested_at = now(), cancelled_by = 'usr_1' WHERE id = $1`,
      [id],
    );

  it('before the provider has the job ends it at once, and costs nothing', async () => {
    const job = await world.newJob();
    await cancel(job.id);
    expect(await world.runToItsEnd(job)).toMatchObject({ state: 'cancelled', charged: 0n });
    expect(world.provider.jobs.size).toBe(0);
    expect(await world.wallet()).toEqual({ spent: 0n, held: 0n });
  });

  it('after a kill that hid that the provider has the job ends it there', async () => {
    const job = await world.newJob();
    world.provider.trouble = { at: 'createJob', after: true, error: new Killed('killed') };
    await world.runUntil(job, () => world.provider.trouble === null);
    await cancel(job.id);
    expect(await world.runToItsEnd(job)).toMatchObject({ state: 'cancelled' });
    expect([...world.provider.jobs.values()]).toMatchObject([{ status: 'cancelled' }]);
  });

  it('costs the tokens that the provider reports', async () => {
    const job = await world.newJob();
    await world.runUntil(job, isQueued);
    world.provider.cancelsTo = { status: 'cancelled', trainedTokens: 100n };
    await cancel(job.id);
    expect(await world.runToItsEnd(job)).toMatchObject({ state: 'cancelled', charged: 200n });
    expect(await world.wallet()).toEqual({ spent: 200n, held: 0n });
    expect(await world.told()).toMatchObject([
      {
        type: 'fine_tuning.job.cancelled',
        data: { trained_tokens: 100, charged_nanos: 200, cancelled_by: 'usr_1' },
      },
    ]);
  });

  it('that meets success is success', async () => {
    const job = await world.newJob();
    await world.runUntil(job, isQueued);
    world.provider.cancelsTo = succeeded;
    await cancel(job.id);
    expect(await world.runToItsEnd(job)).toMatchObject({ state: 'succeeded', charged: 800n });
    expect(await test.database.prisma.fineTunedModel.count()).toBe(1);
  });

  it('waits for the provider to confirm it', async () => {
    const job = await world.newJob();
    await world.runUntil(job, isQueued);
    world.provider.cancelsTo = { status: 'running' };
    await cancel(job.id);
    await world.step();
    expect(await world.now(job)).toMatchObject({ state: 'running' });
    world.provider.cancelsTo = { status: 'cancelled' };
    expect(await world.runToItsEnd(job)).toMatchObject({ state: 'cancelled' });
  });
});

it('a worker that stops takes no other job', async () => {
  await world.newJob();
  world.stopping.abort();
  expect(await workOnJob(world.working())).toEqual({ more: false });
  expect(world.provider.asked).toEqual([]);
});
