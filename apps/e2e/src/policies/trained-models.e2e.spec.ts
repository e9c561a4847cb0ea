import { eventually } from '@svc/testing';
import { toFile } from 'openai';
import { of } from '../distributed/tenant';
import { openAiClient } from '../harness/clients';
import {
  chat,
  DOOR,
  message,
  OPEN,
  response,
  SHUT,
  startNarrowKeys,
  type Key,
  type NarrowKeys,
} from './narrow-keys';

const JOBS = '/fine-tuning/jobs';
const NOT_FOUND = { status: 404, body: { error: { code: 'not_found', param: 'model' } } };
const WITHIN_MS = 60_000;

let world: NarrowKeys;
/** Denies the base model. */
let narrow: Key;
let order: { readonly model: string; readonly training_file: string };
let jobId: string;
/** The model that was trained of it, for the owner's key. */
let tuned: string;
const KEYED = { 'idempotency-key': 'train-once' };

const postJob = async ({ secret }: Pick<Key, 'secret'>, path: string, body: object, headers = {}) => {
  const answer = await fetch(world.svc.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secret}`, ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as { id?: string } };
};
const BOTH = ['/v1/fine_tuning/jobs', `/api/v1${JOBS}`] as const;
/** How many jobs the provider was asked for. */
const jobsAtProvider = async (): Promise<number> => {
  const answer = await fetch(`${world.svc.simulator.url}/__simulator/fine-tuning`);
  const { calls } = (await answer.json()) as { calls: Readonly<Record<string, number>> };
  return calls['POST /v1/fine_tuning/jobs'] ?? 0;
};

beforeAll(async () => {
  world = await startNarrowKeys('trained');
  const { files } = openAiClient(world.svc);
  const lines = Array.from({ length: 10 }, (_, at) =>
    JSON.stringify({
      messages: [
        { role: 'user', content: at === 0 ? '@simulator {"train_ms":100}' : `Question ${String(at)}` },
        { role: 'assistant', content: 'Yes.' },
      ],
    }),
  );
  const text = Buffer.from(`${lines.join('\n')}\n`);
  const file = await files.create({ file: await toFile(text, 'train.jsonl'), purpose: 'fine-tune' });
  await files.waitForProcessing(file.id);
  order = { model: SHUT, training_file: file.id };
  const made = await postJob({ secret: world.svc.apiKey }, BOTH[0], order, KEYED);
  expect(made.status).toBe(200);
  jobId = made.body.id!;
  tuned = await eventually(async () => {
    const { fine_tuned_model: name } = of(200, await world.api('GET', `${JOBS}/${jobId}`)) as {
      fine_tuned_model: string | null;
    };
    expect(name).not.toBeNull();
    return name!;
  }, WITHIN_MS);
  narrow = await world.newKey({ policy: { denied_models: [SHUT] } });
  await eventually(async () => {
    expect(await world.listed(narrow)).not.toContain(SHUT);
  });
});

it('a model that was trained of a denied one is as unknown to the key as that one', async () => {
  const owner = { secret: world.svc.apiKey };
  expect(await world.listed(owner)).toContain(tuned);
  await eventually(async () => {
    expect(await world.outcomeOf(owner, chat(tuned))).toBe('200');
  });
  const keyed = { ...chat(tuned), headers: { 'idempotency-key': 'of-a-tuned-model' } };
  expect(await world.outcomeOf(owner, keyed)).toBe('200');
  await world.svc.simulator.clearJournal();

  for (const way of [chat(tuned), message(tuned), response(tuned), keyed]) {
    expect(await world.outcomeOf(narrow, way)).toBe('404 not_found model');
  }
  expect(await world.listed(narrow)).not.toContain(tuned);
  const seen = of(200, await world.api('GET', '/catalog/models', undefined, narrow.secret)).data as {
    id: string;
  }[];
  expect(seen.map(({ id }) => id)).not.toContain(tuned);
  const machines = { model: tuned, hardware: 'sim-small' };
  expect(await world.api('POST', '/fine-tuning/endpoints', machines, narrow.secret)).toMatchObject({
    status: 404,
  });
  expect(await world.svc.simulator.received()).toBe(0);
});

it('a denied model is not trained, by its id or an alias, on either route', async () => {
  const before = await jobsAtProvider();
  for (const path of BOTH) {
    for (const model of [SHUT, DOOR])
      expect(await postJob(narrow, path, { ...order, model })).toMatchObject(NOT_FOUND);
  }
  const project = of(201, await world.api('POST', '/projects', { name: 'Narrow' })).id as string;
  of(200, await world.api('PUT', `/projects/${project}/policy`, { allowed_models: [OPEN] }));
  const ofProject = await world.newKey({
    project_id: project,
    scopes: ['fine_tuning:write', 'fine_tuning:read'],
  });
  for (const path of BOTH) expect(await postJob(ofProject, path, order)).toMatchObject(NOT_FOUND);
  expect(await jobsAtProvider()).toBe(before);
});

it('a job is there for its maker’s retry, and not for a key that could not have asked for it', async () => {
  const before = await jobsAtProvider();
  for (const path of BOTH) {
    const again = await postJob({ secret: world.svc.apiKey }, path, order, KEYED);
    expect(again.body.id).toBe(jobId);
    expect(await postJob(narrow, path, order, KEYED)).toMatchObject(NOT_FOUND);
  }
  expect(await jobsAtProvider()).toBe(before);
});
