import { eventually, startMailServer, type MailServer } from '@svc/testing';
import { newKey, of } from './distributed/tenant';
import { WebhookReceiver } from './distributed/webhook-receiver';
import { catalogOf, testModel, type CatalogDocument } from './harness/catalog-file';
import { directed, post } from './harness/clients';
import { startSimulator, type Simulator } from './harness/simulator-process';
import { startSvc, type Svc } from './harness/svc-process';
import { callApi } from './oauth/oauth-app';

/** Its calls alone open circuits. */
const brokenModel = 'test/broken';
const withBrokenModel = ({ providers, models, endpoints }: CatalogDocument): CatalogDocument => ({
  providers,
  models: [...models, ...models.map((model) => ({ ...model, id: brokenModel }))],
  endpoints: [
    ...endpoints,
    ...endpoints.map((endpoint) => ({ ...endpoint, model: brokenModel, upstream_model: 'broken-model' })),
  ],
});

let mailServer: MailServer;
let receiver: WebhookReceiver;
let simulator: Simulator;
let svc: Svc;
beforeAll(async () => {
  mailServer = await startMailServer();
  receiver = await WebhookReceiver.start();
  simulator = await startSimulator();
  svc = await startSvc({
    catalog: withBrokenModel(catalogOf({ name: 'acme', url: simulator.url })),
    env: {
      SVC_ALERT_TICK_SECONDS: '1',
      SVC_SMTP_URL: mailServer.url,
      SVC_MAIL_FROM: 'no-reply@svc.example',
      SVC_WEBHOOK_ALLOW_PRIVATE: 'true',
    },
  });
});
afterAll(async () => {
  await svc.stop();
  await simulator.stop();
  await receiver.close();
  await mailServer.close();
});

const api = async (method: string, path: string, body?: object) =>
  (await callApi(svc.baseUrl, method, `/api/v1${path}`, svc.apiKey, body)).body;
const call = async (directive: Record<string, unknown> = {}, { apiKey } = svc, model = testModel) =>
  (
    await post({ ...svc, apiKey }, '/v1/chat/completions', {
      model,
      max_tokens: 10,
      messages: [directed(directive, 'Hello')],
    })
  ).status;

it('rules of every kind fire once and resolve, which webhooks, mails and the API tell', async () => {
  const { available_nanos: available } = await api('GET', '/wallet');
  // The calls of this key are counted until their window has passed: they come first, and the others meanwhile.
  const countedKey = await newKey(svc, svc);
  const counted = Array.from({ length: 5 }, () => call({}, { ...svc, apiKey: countedKey.secret }));
  expect(await Promise.all(counted)).toEqual(Array(5).fill(200));
  const newEndpoint = async (url: string, eventType: string) => {
    const endpoint = { url, event_types: [eventType] };
    return of(201, await callApi(svc.baseUrl, 'POST', '/api/v1/webhook-endpoints', svc.apiKey, endpoint))
      .endpoint.id;
  };
  await newEndpoint(`${receiver.url}/alerts`, 'alert.*');
  // Nobody listens on this port.
  const deaf: string = await newEndpoint('http://127.0.0.1:9/', 'api_key.created');
  const budget = await api('POST', '/budgets', {
    name: 'Tiny',
    scope: 'organization',
    period: 'month',
    amount_nanos: 1,
    action: 'warn',
  });
  const watched: Record<string, object> = {
    request_count: { threshold: 5, window_seconds: 60, filter: { api_key_id: countedKey.id } },
    error_rate_bps: { threshold: 1_000, min_requests: 5, filter: { model: testModel } },
    spend_nanos: { threshold: 1, window_seconds: 60, filter: { api_key_id: countedKey.id } },
    latency_p95_ms: { threshold: 2_000, min_requests: 5 },
    ttft_p95_ms: { threshold: 2_000, min_requests: 5 },
    wallet_runway_hours: { threshold: 1_000_000_000 },
    delivery_failures: { threshold: 1, filter: { webhook_endpoint_id: deaf } },
    circuit_open_seconds: { threshold: 1, filter: { model: brokenModel, provider: 'acme-chat' } },
    wallet_available_nanos: { threshold: available - 1 },
    budget_consumed_bps: { threshold: 10_000, filter: { budget_id: budget.id } },
  };
  const rules = new Map<string, string>();
  for (const [metric, fields] of Object.entries(watched)) {
    const notify = { roles: ['owner'] };
    const body = { name: `Of ${metric}`, metric, keep_firing_seconds: 0, notify, ...fields };
    rules.set(
      metric,
      of(201, await callApi(svc.baseUrl, 'POST', '/api/v1/alert-rules', svc.apiKey, body)).id,
    );
  }
  const statesAre = (state: string, ...metrics: string[]) =>
    eventually(async () => {
      for (const metric of metrics) {
        expect({ metric, ...(await api('GET', `/alert-rules/${rules.get(metric) ?? ''}`)) }).toMatchObject({
          metric,
          state,
        });
      }
    }, 150_000);

  await statesAre('firing', 'request_count', 'spend_nanos', 'wallet_runway_hours');
  await newKey(svc, svc);
  for (let failure = 0; failure < 5; failure++) await call({ status: 500 }, svc, brokenModel);
  const slow = Array.from({ length: 5 }, () => call({ delay_ms: 3_000 }));
  const failed = Array.from({ length: 2 }, () => call({ status: 500 }));
  expect(await Promise.all(slow)).toEqual(Array(5).fill(200));
  expect(await Promise.all(failed)).not.toContain(200);
  await statesAre(
    'firing',
    'error_rate_bps',
    'latency_p95_ms',
    'ttft_p95_ms',
    'wallet_available_nanos',
    'budget_consumed_bps',
    'delivery_failures',
    'circuit_open_seconds',
  );

  const grants = `/platform/v1/organizations/${svc.organizationId}/credit-grants`;
  const much = { amount_nanos: 1_000_000_000_000_000, reason: 'More' };
  of(201, await callApi(svc.baseUrl, 'POST', grants, svc.platformToken ?? '', much));
  await api('PATCH', `/budgets/${budget.id}`, { amount_nanos: 1_000_000_000_000 });
  await api('PATCH', `/webhook-endpoints/${deaf}`, { url: `${receiver.url}/mended` });
  await newKey(svc, svc);
  await statesAre('ok', 'wallet_available_nanos', 'wallet_runway_hours', 'budget_consumed_bps');
  for (let batch = 0; batch < 20; batch++) {
    await Promise.all(Array.from({ length: 8 }, () => call()));
  }
  await statesAre('ok', 'error_rate_bps', 'latency_p95_ms', 'ttft_p95_ms', 'delivery_failures');
  // The circuit lets one call through 30 s after it opened.
  await eventually(async () => {
    expect(await call({}, svc, brokenModel)).toBe(200);
  }, 60_000);
  await statesAre('ok', 'circuit_open_seconds', 'request_count', 'spend_nanos');

  const fired = () => receiver.arrivals.filter(({ eventType }) => eventType === 'alert.fired');
  await eventually(async () => {
    const { data: alerts } = await api('GET', '/alerts');
    expect(alerts).toHaveLength(rules.size);
    for (const alert of alerts) {
      expect(alert).toMatchObject({
        state: 'resolved',
        notifications: [{ status: 'sent' }, { status: 'sent' }],
      });
    }
    expect(fired()).toHaveLength(rules.size);
    expect(mailServer.letters().filter((text) => text.includes('is firing.'))).toHaveLength(rules.size);
    expect(mailServer.letters().filter((text) => text.includes('no longer fires.'))).toHaveLength(rules.size);
  }, 30_000);
});
