import { eventually } from '@svc/testing';
import { testModel } from '../harness/catalog-file';
import { AlertWorld, brokenModel } from './alert-world';

let world: AlertWorld;
beforeAll(async () => {
  world = await AlertWorld.open();
});
afterAll(() => world.close());

/** Takes two minutes: a window is a minute at least, and a circuit stays open for half of one. */
it('rules of every kind fire once and resolve, which webhooks, mails and the API tell', async () => {
  const available = (await world.api('GET', '/wallet')).available_nanos as number;
  // The calls of this key are counted until their window has passed: they come first, and the others meanwhile.
  const countedKey = await world.newKey();
  const counted = Array.from({ length: 5 }, () => world.call({}, { apiKey: countedKey.secret }));
  expect(await Promise.all(counted)).toEqual(Array(5).fill(200));
  // Nobody listens on this port.
  const deaf = await world.newWebhookEndpoint('http://127.0.0.1:9/', 'api_key.created');
  const budgetId = await world.newTinyBudget();
  await world.watch({
    request_count: { threshold: 5, window_seconds: 60, filter: { api_key_id: countedKey.id } },
    error_rate_bps: { threshold: 1_000, min_requests: 5, filter: { model: testModel } },
    spend_nanos: { threshold: 1, window_seconds: 60, filter: { api_key_id: countedKey.id } },
    latency_p95_ms: { threshold: 2_000, min_requests: 5 },
    ttft_p95_ms: { threshold: 2_000, min_requests: 5 },
    wallet_runway_hours: { threshold: 1_000_000_000 },
    delivery_failures: { threshold: 1, filter: { webhook_endpoint_id: deaf } },
    circuit_open_seconds: { threshold: 1, filter: { model: brokenModel, provider: 'acme-chat' } },
    wallet_available_nanos: { threshold: available - 1 },
    budget_consumed_bps: { threshold: 10_000, filter: { budget_id: budgetId } },
  });

  await world.statesAre('firing', 'request_count', 'spend_nanos', 'wallet_runway_hours');
  await world.newKey();
  for (let failure = 0; failure < 5; failure++) await world.call({ status: 500 }, world.svc, brokenModel);
  const slow = Array.from({ length: 5 }, () => world.call({ delay_ms: 3_000 }));
  const failed = Array.from({ length: 2 }, () => world.call({ status: 500 }));
  expect(await Promise.all(slow)).toEqual(Array(5).fill(200));
  expect(await Promise.all(failed)).not.toContain(200);
  await world.statesAre(
    'firing',
    'error_rate_bps',
    'latency_p95_ms',
    'ttft_p95_ms',
    'wallet_available_nanos',
    'budget_consumed_bps',
    'delivery_failures',
    'circuit_open_seconds',
  );

  await world.grant(1_000_000_000_000_000);
  await world.api('PATCH', `/budgets/${budgetId}`, { amount_nanos: 1_000_000_000_000 });
  await world.api('PATCH', `/webhook-endpoints/${deaf}`, { url: `${world.receiver.url}/mended` });
  await world.newKey();
  await world.statesAre('ok', 'wallet_available_nanos', 'wallet_runway_hours', 'budget_consumed_bps');
  for (let batch = 0; batch < 20; batch++) {
    await Promise.all(Array.from({ length: 8 }, () => world.call()));
  }
  await world.statesAre('ok', 'error_rate_bps', 'latency_p95_ms', 'ttft_p95_ms', 'delivery_failures');
  // The circuit lets one call through 30 s after it opened.
  await eventually(async () => {
    expect(await world.call({}, world.svc, brokenModel)).toBe(200);
  }, 60_000);
  await world.statesAre('ok', 'circuit_open_seconds', 'request_count', 'spend_nanos');
  await world.allFiredOnceAndResolved();
});
