import { createHash } from 'node:crypto';
import { collect, eventually } from '@svc/testing';
import OpenAI, { toFile, toStreamingFile } from 'openai';
import { startSimulator, type Simulator } from '..';
import { type FineTuningSettings } from './fine-tuning-settings';

const AT_ONCE = { validate_ms: 0, queue_ms: 0, train_ms: 0, start_ms: 0, stop_ms: 0 };

describe('simulated fine-tuning, by the official OpenAI client', () => {
  let simulator: Simulator;
  let openai: OpenAI;

  beforeAll(async () => {
    simulator = await startSimulator({ port: 0, host: '127.0.0.1' });
    openai = new OpenAI({ baseURL: `${simulator.url}/v1`, apiKey: 'any', maxRetries: 0 });
  });
  afterAll(() => simulator.close());
  beforeEach(() => tell(AT_ONCE));

  async function tell(settings: FineTuningSettings): Promise<Response> {
    return fetch(`${simulator.url}/__simulator/fine-tuning`, {
      method: 'PUT',
      body: JSON.stringify(settings),
    });
  }

  async function seen(): Promise<{
    files: { id: string; lines: number; tokens: number; sha256: string }[];
    calls: Record<string, number>;
  }> {
    return (await (await fetch(`${simulator.url}/__simulator/fine-tuning`)).json()) as Awaited<
      ReturnType<typeof seen>
    >;
  }

  const linesOf = (count: number, first = 'Where is my order?') =>
    Array.from({ length: count }, (_, at) =>
      JSON.stringify({
        messages: [
          { role: 'user', content: at === 0 ? first : `Question ${String(at)}` },
          { role: 'assistant', content: 'Let me look.' },
        ],
      }),
    ).join('\n');

  const upload = async (text = linesOf(10)) =>
    openai.files.create({ file: await toFile(Buffer.from(text), 'train.jsonl'), purpose: 'fine-tune' });

  async function train(text = linesOf(10), fields: object = {}): Promise<OpenAI.FineTuning.FineTuningJob> {
    const file = await upload(text);
    return openai.fineTuning.jobs.create({ model: 'sim-small', training_file: file.id, ...fields });
  }

  it('takes a file, counts it, lists it and deletes it', async () => {
    const text = linesOf(12);
    const file = await upload(text);
    expect(file).toMatchObject({ bytes: text.length, filename: 'train.jsonl', status: 'processed' });
    expect((await seen()).files[0]).toMatchObject({
      lines: 12,
      sha256: createHash('sha256').update(text).digest('hex'),
    });
    expect((await openai.files.list()).data[0]?.id).toBe(file.id);
    expect(await openai.files.delete(file.id)).toMatchObject({ deleted: true });
    await expect(openai.files.retrieve(file.id)).rejects.toMatchObject({ status: 404 });
  });

  it('keeps nothing of a large file', async () => {
    const piece = Buffer.from(`${linesOf(1, 'Where '.repeat(20_000))}\n`);
    const pieces = 600;
    async function* content() {
      for (let at = 0; at < pieces; at++) {
        yield piece;
        await Promise.resolve();
      }
    }
    const file = await openai.files.create({
      file: toStreamingFile(content(), 'large.jsonl'),
      purpose: 'fine-tune',
    });
    expect(file.bytes).toBe(piece.length * pieces);
    const [kept] = (await seen()).files;
    expect(kept?.lines).toBe(pieces);
    // Facts, and nothing of its 72 MB.
    expect(JSON.stringify(kept).length).toBeLessThan(1_000);
  });

  it('goes through the states of a job by the clock, with events and checkpoints once each', async () => {
    await tell({ validate_ms: 150, queue_ms: 150, train_ms: 300 });
    const created = await train(undefined, {
      suffix: 'shop',
      metadata: { svc_job_id: 'ftjob_1' },
      method: { type: 'supervised', supervised: { hyperparameters: { n_epochs: 2 } } },
    });
    const states = new Set<string>();
    await eventually(async () => {
      const { status } = await openai.fineTuning.jobs.retrieve(created.id);
      states.add(status);
      expect(status).toBe('succeeded');
    });
    expect([...states].at(-1)).toBe('succeeded');
    const job = await openai.fineTuning.jobs.retrieve(created.id);
    const { tokens } = (await seen()).files[0]!;
    expect(job).toMatchObject({ trained_tokens: tokens * 2, error: null, hyperparameters: { n_epochs: 2 } });
    expect(job.fine_tuned_model).toMatch(/^ft:sim-small:svc-simulator:shop:\w{8}$/);
    const events = await collect(openai.fineTuning.jobs.listEvents(created.id, { limit: 2 }));
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(events.at(0)?.message).toBe('The job has successfully completed');
    expect(events.at(-1)?.message).toContain('Created fine-tuning job');
    expect(events.filter(({ type }) => type === 'metrics')).toHaveLength(6);
    const checkpoints = await collect(openai.fineTuning.jobs.checkpoints.list(created.id));
    expect(checkpoints.map(({ step_number }) => step_number)).toEqual([6, 3]);
  });

  it('finds a job by its metadata', async () => {
    const [wanted] = [
      await train(undefined, { metadata: { svc_job_id: 'wanted' } }),
      await train(undefined, { metadata: { svc_job_id: 'other' } }),
    ];
    const found = await openai.fineTuning.jobs.list({ metadata: { svc_job_id: 'wanted' } });
    expect(found.data.map(({ id }) => id)).toEqual([wanted.id]);
  });

  it('answers calls of a trained model until it is deleted', async () => {
    const { id } = await train();
    const { fine_tuned_model: model } = await openai.fineTuning.jobs.retrieve(id);
    const call = () =>
      openai.chat.completions.create({ model: model!, messages: [{ role: 'user', content: 'x' }] });
    expect((await call()).model).toBe(model);
    expect(await openai.models.delete(model!)).toMatchObject({ deleted: true });
    await expect(call()).rejects.toMatchObject({ status: 404, code: 'model_not_found' });
    await expect(openai.models.delete(model!)).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    [{ job: 'fails' }, 'server_error'],
    [{ file: 'rejected' }, 'invalid_training_file'],
  ])('fails as its file directs: %j', async (directive, code) => {
    const job = await train(linesOf(10, `@simulator ${JSON.stringify(directive)}`));
    expect(await openai.fineTuning.jobs.retrieve(job.id)).toMatchObject({
      status: 'failed',
      error: { code },
      trained_tokens: null,
      fine_tuned_model: null,
    });
  });

  it('refuses a file or a job when directed, and a wrong directive', async () => {
    await expect(upload(linesOf(10, '@simulator {"file":"refused"}'))).rejects.toMatchObject({ status: 400 });
    await expect(train(linesOf(10, '@simulator {"job":"refused"}'))).rejects.toMatchObject({
      code: 'model_not_available',
    });
    await expect(upload(linesOf(10, '@simulator {"jobs":"fails"}'))).rejects.toThrow(/jobs/);
    expect((await tell({ tran_ms: 1 } as FineTuningSettings)).status).toBe(400);
  });

  it('cancels a job once, and reports what it has trained when directed', async () => {
    await tell({ ...AT_ONCE, job: 'hangs', tokens_of_cancelled: true });
    const { id } = await train();
    const cancelled = await openai.fineTuning.jobs.cancel(id);
    expect(cancelled.status).toBe('cancelled');
    expect(cancelled.trained_tokens).toBeGreaterThan(0);
    await expect(openai.fineTuning.jobs.cancel(id)).rejects.toMatchObject({ status: 400 });
  });

  it('forgets a job, says things twice, and trains as many tokens as directed', async () => {
    await tell({ ...AT_ONCE, forget_after_ms: 0 });
    const forgotten = await train();
    await expect(openai.fineTuning.jobs.retrieve(forgotten.id)).rejects.toMatchObject({ status: 404 });
    await tell({ ...AT_ONCE, repeats: true, trained_tokens: 7 });
    const { id } = await train();
    expect((await openai.fineTuning.jobs.retrieve(id)).trained_tokens).toBe(7);
    const ids = (await collect(openai.fineTuning.jobs.listEvents(id))).map((event) => event.id);
    expect(ids).toHaveLength(2 * new Set(ids).size);
  });

  it.each(['reset', 'lost_answer', 'error', 'malformed'] as const)(
    'lets calls meet with %s, as many as directed',
    async (fault) => {
      await tell({ ...AT_ONCE, fault, fault_count: 1, fault_route: 'POST /v1/fine_tuning/jobs' });
      const file = await upload();
      const before = (await seen()).calls['POST /v1/fine_tuning/jobs'] ?? 0;
      const create = () => openai.fineTuning.jobs.create({ model: 'm', training_file: file.id });
      const first = await create().then(
        ({ id }) => id,
        () => undefined,
      );
      expect(first).toBeUndefined();
      expect((await create()).id).toMatch(/^ftjob-/);
      expect((await seen()).calls['POST /v1/fine_tuning/jobs']).toBe(before + 2);
      const made = await collect(openai.fineTuning.jobs.list());
      expect(made.filter((job) => job.training_file === file.id)).toHaveLength(
        fault === 'lost_answer' ? 2 : 1,
      );
    },
  );

  describe('dedicated endpoints', () => {
    interface Endpoint {
      readonly id: string;
      readonly name: string;
      readonly state: string;
      readonly started_at: string | null;
      readonly stopped_at: string | null;
    }

    const ask = async (method: string, path: string, body?: object): Promise<[number, Endpoint]> => {
      const answer = await fetch(`${simulator.url}/v1/endpoints${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return [answer.status, (text === '' ? null : JSON.parse(text)) as Endpoint];
    };
    const create = (fields: object = {}) =>
      ask('POST', '', { model: 'm', hardware: 'gpu', display_name: 'fte_1', ...fields });
    const call = (model: string) =>
      openai.chat.completions.create({ model, messages: [{ role: 'user', content: 'x' }] }).then(
        () => 200,
        (error: unknown) => (error as { status: number }).status,
      );

    it('start, serve, stop and are deleted', async () => {
      await tell({ start_ms: 100, stop_ms: 100 });
      const [status, created] = await create();
      expect([status, created.state, await call(created.name)]).toEqual([200, 'PENDING', 404]);
      await eventually(async () => {
        expect((await ask('GET', `/${created.id}`))[1].state).toBe('STARTED');
      });
      expect(await call(created.name)).toBe(200);
      const [, stopping] = await ask('PATCH', `/${created.id}`, { state: 'STOPPED' });
      expect([stopping.state, await call(created.name)]).toEqual(['STOPPING', 404]);
      await eventually(async () => {
        const [, stopped] = await ask('GET', `/${created.id}`);
        expect(stopped.state).toBe('STOPPED');
        expect(Date.parse(stopped.stopped_at!)).toBeGreaterThanOrEqual(Date.parse(stopped.started_at!));
      });
      expect((await ask('DELETE', `/${created.id}`))[0]).toBe(204);
      expect((await ask('GET', `/${created.id}`))[0]).toBe(404);
    });

    it('never start, fail, are refused, vanish and ignore orders when directed', async () => {
      await tell({ ...AT_ONCE, endpoint: 'never_starts' });
      expect((await create())[1].state).toBe('PENDING');
      await tell({ ...AT_ONCE, endpoint: 'fails' });
      expect((await create())[1].state).toBe('ERROR');
      await tell({ ...AT_ONCE, endpoint: 'refused' });
      expect((await create())[0]).toBe(400);
      await tell({ ...AT_ONCE, gone_after_ms: 0 });
      const [, { id }] = await create();
      expect((await ask('GET', `/${id}`))[0]).toBe(404);
      await tell({ ...AT_ONCE, ignored_stops: 1 });
      const [, stubborn] = await create();
      const stop = async () => (await ask('PATCH', `/${stubborn.id}`, { state: 'STOPPED' }))[1].state;
      expect([await stop(), await stop()]).toEqual(['STARTED', 'STOPPED']);
    });
  });
});
