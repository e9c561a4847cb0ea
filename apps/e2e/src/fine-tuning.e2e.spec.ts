import { toFile, type OpenAI } from 'openai';
import OpenAI6, { toFile as toFile6 } from 'openai-6';
import { eventually } from '@svc/testing';
import { newTenant, type Tenant } from './distributed/tenant';
import { openAiClient } from './harness/clients';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const example = (content: string): string =>
  `${JSON.stringify({
    messages: [
      { role: 'user', content },
      { role: 'assistant', content: 'Yes.' },
    ],
  })}\n`;
/** @param directive what the simulator is to do with the job; nothing where it is empty. */
const trainingWith = (directive: object = {}): string =>
  Array.from({ length: 20 }, (_, at) =>
    example(
      at === 0 ? `@simulator ${JSON.stringify({ train_ms: 300, ...directive })}` : `Question ${String(at)}`,
    ),
  ).join('');

let svc: SharedSvc;
let other: Tenant;
beforeAll(async () => {
  svc = await sharedSvc();
  other = await newTenant(svc, 1_000_000_000n);
});

const managed = async <T>(path: string): Promise<T> => {
  const answer = await fetch(`${svc.baseUrl}/api/v1${path}`, {
    headers: { authorization: `Bearer ${svc.apiKey}` },
  });
  return (await answer.json()) as T;
};

interface Managed {
  readonly held_nanos: number;
  readonly charged_nanos: number;
}
interface Wallet {
  readonly balance_nanos: number;
  readonly held_nanos: number;
}

describe.each([
  // The parts used here are the same in both; private fields make the two types incompatible.
  [
    '6',
    () => new OpenAI6({ baseURL: `${svc.baseUrl}/v1`, apiKey: svc.apiKey }) as unknown as OpenAI,
    toFile6 as unknown as typeof toFile,
  ],
  ['7', () => openAiClient(svc), toFile],
])('the official OpenAI client %s', (_, connect, made) => {
  const upload = async (text: string) => {
    const client = connect();
    const file = await client.files.create({
      file: await made(Buffer.from(text), 'train.jsonl'),
      purpose: 'fine-tune',
    });
    return (await client.files.waitForProcessing(file.id)).id;
  };
  const ended = (id: string) =>
    eventually(async () => {
      const job = await connect().fineTuning.jobs.retrieve(id);
      expect(['succeeded', 'failed', 'cancelled']).toContain(job.status);
      return job;
    }, 90_000);

  it('trains a model with a file, follows the job, and calls the model', async () => {
    const client = connect();
    const before = await managed<Wallet>('/wallet');
    const job = await client.fineTuning.jobs.create({
      model: 'simulator/echo',
      training_file: await upload(trainingWith()),
      suffix: 'support',
      seed: 3,
      metadata: { team: 'support' },
    });
    expect(job).toMatchObject({ object: 'fine_tuning.job', model: 'simulator/echo', seed: 3 });
    const { held_nanos: held } = await managed<Managed>(`/fine-tuning/jobs/${job.id}`);
    expect(held).toBeGreaterThan(0);

    const done = await ended(job.id);
    expect(done).toMatchObject({ status: 'succeeded', error: null });
    expect(done.trained_tokens).toBeGreaterThan(0);
    const name = done.fine_tuned_model!;
    expect(name).toMatch(/^ft-[a-z]{8}\/echo-support-[a-z]{6}$/);

    const events: string[] = [];
    for await (const { id } of client.fineTuning.jobs.listEvents(job.id, { limit: 1 })) events.push(id);
    expect(events.length).toBeGreaterThan(1);
    expect(new Set(events).size).toBe(events.length);
    const steps: number[] = [];
    for await (const { step_number: step } of client.fineTuning.jobs.checkpoints.list(job.id))
      steps.push(step);
    expect(steps).toEqual(steps.toSorted((a, b) => b - a));
    const jobs: string[] = [];
    for await (const { id } of client.fineTuning.jobs.list({ limit: 1 })) jobs.push(id);
    expect(jobs[0]).toBe(job.id);

    const { charged_nanos: charged } = await managed<Managed>(`/fine-tuning/jobs/${job.id}`);
    expect(charged).toBe(done.trained_tokens! * 3_000);
    expect(charged).toBeLessThanOrEqual(held);
    const after = await managed<Wallet>('/wallet');
    expect(after).toMatchObject({ balance_nanos: before.balance_nanos - charged, held_nanos: 0 });

    expect((await client.models.retrieve(name)).id).toBe(name);
    const answer = await eventually(() =>
      client.chat.completions.create({ model: name, messages: [{ role: 'user', content: 'Hello' }] }),
    );
    expect(answer.model).toBe(name);
    expect(answer.choices[0]?.message.content).toContain('Hello');
  });

  it('cancels a job that runs on', async () => {
    const client = connect();
    const training_file = await upload(trainingWith({ job: 'hangs' }));
    const { id } = await client.fineTuning.jobs.create({ model: 'simulator/echo', training_file });
    await eventually(async () => {
      expect((await client.fineTuning.jobs.retrieve(id)).status).toBe('running');
    }, 60_000);
    await expect(client.files.delete(training_file)).rejects.toMatchObject({ status: 409, code: 'conflict' });
    await client.fineTuning.jobs.cancel(id);
    expect(await ended(id)).toMatchObject({ status: 'cancelled', fine_tuned_model: null });
    await expect(client.fineTuning.jobs.cancel(id)).rejects.toMatchObject({ status: 409, code: 'conflict' });
    expect((await managed<Wallet>('/wallet')).held_nanos).toBe(0);
    await client.files.delete(training_file);
  });

  it('is told why a job failed', async () => {
    const training_file = await upload(trainingWith({ file: 'rejected' }));
    const { id } = await connect().fineTuning.jobs.create({ model: 'simulator/echo', training_file });
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      error: { code: 'training_file_rejected', param: 'training_file' },
      trained_tokens: null,
    });
    expect(await managed<Managed>(`/fine-tuning/jobs/${id}`)).toMatchObject({ charged_nanos: 0 });
  });
});

it('ids of another organization are 404 on every route', async () => {
  const [model] = (
    await managed<{ data: { id: string; fine_tuning_job_id: string }[] }>('/fine-tuning/models')
  ).data;
  const job = model!.fine_tuning_job_id;
  const file = (await openAiClient(svc).fineTuning.jobs.retrieve(job)).training_file;
  const name = encodeURIComponent(model!.id);
  const ask = async (method: string, path: string, body?: object): Promise<number> => {
    const answer = await fetch(svc.baseUrl + path, {
      method,
      headers: { authorization: `Bearer ${other.apiKey}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return answer.status;
  };
  const messages = [{ role: 'user', content: 'Hello' }];
  const statuses = [
    await ask('GET', `/v1/fine_tuning/jobs/${job}`),
    await ask('POST', `/v1/fine_tuning/jobs/${job}/cancel`),
    await ask('POST', `/v1/fine_tuning/jobs/${job}/pause`),
    await ask('POST', `/v1/fine_tuning/jobs/${job}/resume`),
    await ask('GET', `/v1/fine_tuning/jobs/${job}/events`),
    await ask('GET', `/v1/fine_tuning/jobs/${job}/checkpoints`),
    await ask('POST', '/v1/fine_tuning/jobs', { model: 'simulator/echo', training_file: file }),
    await ask('POST', '/v1/fine_tuning/jobs', { model: 'simulator/echo', training_file: 'file-abc' }),
    await ask('GET', `/v1/files/${file}`),
    await ask('GET', `/v1/files/${file}/content`),
    await ask('DELETE', `/v1/files/${file}`),
    await ask('GET', `/api/v1/fine-tuning/jobs/${job}`),
    await ask('POST', `/api/v1/fine-tuning/jobs/${job}/cancel`),
    await ask('DELETE', `/api/v1/fine-tuning/models/${name}`),
    await ask('GET', `/api/v1/catalog/models/${name}`),
    await ask('GET', `/v1/models/${name}`),
    await ask('POST', '/v1/chat/completions', { model: model!.id, messages }),
    await ask('POST', '/v1/messages', { model: model!.id, max_tokens: 5, messages }),
  ];
  expect(statuses).toEqual(statuses.map(() => 404));
});

it('a deleted model is as unknown as any', async () => {
  const client = openAiClient(svc);
  const [model] = (await managed<{ data: { id: string }[] }>('/fine-tuning/models')).data;
  const deleted = await fetch(`${svc.baseUrl}/api/v1/fine-tuning/models/${encodeURIComponent(model!.id)}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${svc.apiKey}` },
  });
  expect(deleted.status).toBe(204);
  await eventually(async () => {
    await expect(client.models.retrieve(model!.id)).rejects.toMatchObject({ status: 404 });
  });
});
