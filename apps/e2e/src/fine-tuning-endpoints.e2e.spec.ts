import { eventually } from '@svc/testing';
import { toFile } from 'openai';
import { newTenant, of } from './distributed/tenant';
import { openAiClient } from './harness/clients';
import { storageOfThisRun } from './harness/config';
import { startSvc, type Svc } from './harness/svc-process';
import { callApi } from './oauth/oauth-app';

const BASE = 'simulator/echo-mini';
const HARDWARE = 'sim-small';
/** One dollar an hour, in nano-dollars. */
const PRICE_PER_HOUR = 1_000_000_000;
const SLICE_SECONDS = 3;
const OF_A_SLICE = Math.ceil((PRICE_PER_HOUR * SLICE_SECONDS) / 3_600);
const WITHIN_MS = 90_000;

const TRAINING = Array.from(
  { length: 10 },
  (_, at) =>
    `${JSON.stringify({
      messages: [
        { role: 'user', content: `Question ${String(at)}` },
        { role: 'assistant', content: 'Yes.' },
      ],
    })}\n`,
).join('');

let svc: Svc;
beforeAll(async () => {
  svc = await startSvc({
    env: {
      ...storageOfThisRun,
      SVC_FINE_TUNING_POLL_SECONDS: '1',
      SVC_ENDPOINT_SLICE_SECONDS: String(SLICE_SECONDS),
    },
  });
});
afterAll(() => svc.stop());

interface Endpoint {
  readonly id: string;
  readonly state: string;
  readonly stop_reason: string | null;
  readonly running_seconds: number;
  readonly charged_nanos: number;
  readonly price_per_hour_nanos: number;
  readonly stops_at: string | null;
}

const api = (apiKey: string, method: string, path: string, body?: object) =>
  callApi(svc.baseUrl, method, `/api/v1${path}`, apiKey, body);

/** The name of a model that was trained a moment ago. */
async function trained(apiKey: string): Promise<string> {
  const client = openAiClient(svc, apiKey);
  const file = await client.files.create({
    file: await toFile(Buffer.from(TRAINING), 'train.jsonl'),
    purpose: 'fine-tune',
  });
  const job = await client.fineTuning.jobs.create({ model: BASE, training_file: file.id });
  return eventually(async () => {
    const { fine_tuned_model: model } = await client.fineTuning.jobs.retrieve(job.id);
    expect(model).not.toBeNull();
    return model ?? '';
  }, WITHIN_MS);
}

async function newEndpoint(apiKey: string, fields: object = {}): Promise<Endpoint> {
  const body = { model: await trained(apiKey), hardware: HARDWARE, ...fields };
  return of(201, await api(apiKey, 'POST', '/fine-tuning/endpoints', body)) as Endpoint;
}

const read = async (apiKey: string, id: string): Promise<Endpoint> =>
  of(200, await api(apiKey, 'GET', `/fine-tuning/endpoints/${id}`)) as Endpoint;

const order = (apiKey: string, id: string, what: 'start' | 'stop') =>
  api(apiKey, 'POST', `/fine-tuning/endpoints/${id}/${what}`);

const until = (apiKey: string, id: string, state: string, withinMs = WITHIN_MS): Promise<Endpoint> =>
  eventually(async () => {
    const endpoint = await read(apiKey, id);
    expect(endpoint.state).toBe(state);
    return endpoint;
  }, withinMs);

async function call(apiKey: string, model: string) {
  const answer = await fetch(`${svc.baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Hello' }] }),
  });
  return {
    status: answer.status,
    body: (await answer.json()) as { model?: string; error?: { code: string } },
  };
}

/** Paid by the second, slice by slice, each rounded up once: never less than the seconds cost, nor a nano a slice more. */
function expectPriced({ running_seconds: seconds, charged_nanos: charged }: Endpoint): void {
  const slices = Math.ceil(seconds / SLICE_SECONDS) + 1;
  expect(charged).toBeLessThanOrEqual(Math.ceil((seconds * PRICE_PER_HOUR) / 3_600) + slices);
  // Seconds that no worker was there for are nobody's to pay: a busy machine has some.
  expect(charged).toBeGreaterThan(0);
}

it('an endpoint is started, serves its model for nothing more than its hours, and is stopped', async () => {
  const { apiKey } = svc;
  const endpoint = await newEndpoint(apiKey);
  const { model } = of(200, await api(apiKey, 'GET', `/fine-tuning/endpoints/${endpoint.id}`)) as {
    model: string;
  };
  expect(endpoint).toMatchObject({ state: 'stopped', price_per_hour_nanos: PRICE_PER_HOUR });
  const before = await call(apiKey, model);
  expect([before.status, before.body.error?.code]).toEqual([422, 'no_eligible_route']);
  const second = await api(apiKey, 'POST', '/fine-tuning/endpoints', { model, hardware: HARDWARE });
  expect(second.status).toBe(409);

  expect(of(200, await order(apiKey, endpoint.id, 'start'))).toMatchObject({ state: 'starting' });
  expect((await order(apiKey, endpoint.id, 'start')).status).toBe(409);
  const running = await until(apiKey, endpoint.id, 'running');
  expect(running.stops_at).not.toBeNull();
  await eventually(async () => {
    expect(await call(apiKey, model)).toMatchObject({ status: 200, body: { model } });
  }, 30_000);
  expect((await api(apiKey, 'DELETE', `/fine-tuning/endpoints/${endpoint.id}`)).status).toBe(409);
  await eventually(async () => {
    expect((await read(apiKey, endpoint.id)).charged_nanos).toBeGreaterThanOrEqual(2 * OF_A_SLICE);
  }, WITHIN_MS);

  expect(of(200, await order(apiKey, endpoint.id, 'stop'))).toMatchObject({
    state: 'stopping',
    stop_reason: 'user',
  });
  const stopped = await until(apiKey, endpoint.id, 'stopped');
  expectPriced(stopped);
  expect((await call(apiKey, model)).status).toBe(422);

  const { data: calls } = of(200, await api(apiKey, 'GET', `/requests?model=${encodeURIComponent(model)}`));
  expect((calls as { status: string; cost: { customer_nanos: number } }[])[0]).toMatchObject({
    status: 'succeeded',
    cost: { customer_nanos: 0 },
  });
  const { data: transactions } = of(
    200,
    await api(apiKey, 'GET', '/wallet/transactions?kind=fine_tuning_endpoint&limit=100'),
  );
  expect(transactions).toContainEqual(expect.objectContaining({ fine_tuning_endpoint_id: endpoint.id }));
  const paid = (transactions as { amount_nanos: number }[]).reduce(
    (sum, { amount_nanos: nanos }) => sum + Math.abs(nanos),
    0,
  );
  expect(paid).toBe(stopped.charged_nanos);
  expect((of(200, await api(apiKey, 'GET', '/wallet')) as { held_nanos: number }).held_nanos).toBe(0);
  expect((await api(apiKey, 'DELETE', `/fine-tuning/endpoints/${endpoint.id}`)).status).toBe(204);
  expect((await api(apiKey, 'GET', `/fine-tuning/endpoints/${endpoint.id}`)).status).toBe(404);
});

it('an endpoint that nobody calls stops as idle', async () => {
  const { apiKey } = svc;
  const endpoint = await newEndpoint(apiKey, { idle_stop_minutes: 1 });
  of(200, await order(apiKey, endpoint.id, 'start'));
  await until(apiKey, endpoint.id, 'running');
  const stopped = await until(apiKey, endpoint.id, 'stopped', 180_000);
  expect(stopped.stop_reason).toBe('idle');
  expect(stopped.running_seconds).toBeGreaterThanOrEqual(60);
  expectPriced(stopped);
});

it('an endpoint stops when the wallet is empty, and never costs more than there was', async () => {
  const credit = 5_000_000n;
  const { apiKey } = await newTenant(svc, credit);
  const endpoint = await newEndpoint(apiKey);
  of(200, await order(apiKey, endpoint.id, 'start'));
  await until(apiKey, endpoint.id, 'running');
  const stopped = await until(apiKey, endpoint.id, 'stopped');
  expect(stopped.stop_reason).toBe('wallet_empty');
  expectPriced(stopped);
  const wallet = of(200, await api(apiKey, 'GET', '/wallet')) as {
    balance_nanos: number;
    held_nanos: number;
  };
  expect(wallet.held_nanos).toBe(0);
  expect(wallet.balance_nanos).toBeGreaterThanOrEqual(0);
  expect(wallet.balance_nanos).toBeLessThan(OF_A_SLICE);
  const refused = await order(apiKey, endpoint.id, 'start');
  expect([refused.status, refused.body.error.code]).toEqual([402, 'insufficient_funds']);
  // Another organization does not know it.
  expect((await api(svc.apiKey, 'GET', `/fine-tuning/endpoints/${endpoint.id}`)).status).toBe(404);
});
