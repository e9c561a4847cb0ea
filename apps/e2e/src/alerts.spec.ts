import { eventually, startMailServer, type MailServer } from '@svc/testing';
import { newKey, of } from './distributed/tenant';
import { WebhookReceiver } from './distributed/webhook-receiver';
import { catalogOf, testModel } from './harness/catalog-file';
import { directed, post } from './harness/clients';
import { startSimulator, type Simulator } from './harness/simulator-process';
import { startSvc, type Svc } from './harness/svc-process';
import { callApi } from './oauth/oauth-app';

// What is counted by calls falls only as their window passes: up to two minutes.
jest.setTimeout(300_000);

let mailServer: MailServer;
let receiver: WebhookReceiver;
let simulator: Simulator;
let svc: Svc;
beforeAll(async () => {
  mailServer = await startMailServer();
  receiver = await WebhookReceiver.start();
  simulator = await startSimulator();
  svc = await startSvc({
    catalog: catalogOf({ name: 'acme', url: simulator.url }),
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
const call = async (directive: Record<string, unknown> = {}, { apiKey } = svc) =>
  (
    await post({ ...svc, apiKey }, '/v1/chat/completions', {
      model: testModel,
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
  const endpoint = { url: `${receiver.url}/alerts`, event_types: ['alert.*'] };
  of(201, await callApi(svc.baseUrl, 'POST', '/api/v1/webhook-endpoints', svc.apiKey, endpoint));
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
    latency_p95_ms: { threshold: 500, min_requests: 5 },
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

  await statesAre('firing', 'request_count');
  const slow = Array.from({ length: 5 }, () => call({ delay_ms: 800 }));
  const failed = Array.from({ length: 2 }, () => call({ status: 500 }));
  expect(await Promise.all(slow)).toEqual(Array(5).fill(200));
  expect(await Promise.all(failed)).not.toContain(200);
  await statesAre(
    'firing',
    'error_rate_bps',
    'latency_p95_ms',
    'wallet_available_nanos',
    'budget_consumed_bps',
  );

  of(
    201,
    await callApi(
      svc.baseUrl,
      'POST',
      `/platform/v1/organizations/${svc.organizationId}/credit-grants`,
      svc.platformToken ?? '',
      { amount_nanos: 1_000_000_000, reason: 'More' },
    ),
  );
  await api('PATCH', `/budgets/${budget.id}`, { amount_nanos: 1_000_000_000_000 });
  await statesAre('ok', 'wallet_available_nanos', 'budget_consumed_bps');
  for (let batch = 0; batch < 20; batch++) {
    await Promise.all(Array.from({ length: 8 }, () => call()));
  }
  await statesAre('ok', 'error_rate_bps', 'latency_p95_ms');
  await statesAre('ok', 'request_count');

  const fired = () => receiver.arrivals.filter(({ eventType }) => eventType === 'alert.fired');
  await eventually(async () => {
    const { data: alerts } = await api('GET', '/alerts');
    expect(alerts).toHaveLength(5);
    for (const alert of alerts) {
      expect(alert).toMatchObject({
        state: 'resolved',
        notifications: [{ status: 'sent' }, { status: 'sent' }],
      });
    }
    expect(fired()).toHaveLength(5);
    expect(mailServer.letters().filter((text) => text.includes('is firing.'))).toHaveLength(5);
    expect(mailServer.letters().filter((text) => text.includes('no longer fires.'))).toHaveLength(5);
  }, 30_000);
});
