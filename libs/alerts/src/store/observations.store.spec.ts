import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemIds } from '@svc/runtime';
import { type AlertMetric } from '../rules/metrics';
import { AlertWorld, newSettings } from '../testing/alert-world';

let test: TestDatabase;
let world: AlertWorld;
beforeEach(async () => {
  test = await emptyTestDatabase();
  world = await new AlertWorld(test.database).open();
});
afterEach(() => test.close());

const endpoints = [
  { id: 'a', region: 'eu', dataRetention: 'retained' },
  { id: 'b', region: 'us', dataRetention: 'zero' },
] as const;
const observe = async (metric: AlertMetric, filter: object = {}) => {
  const { id } = await world.addRule({ metric, filter: { ...newSettings.filter, ...filter } });
  const seen = await world.evaluation.judge(metric, endpoints);
  return seen.find(({ rule }) => rule.id === id)!.value;
};

describe('what is observed', () => {
  it('of calls is what ended in the window and passes the filter', async () => {
    await world.addCalls({ calls: 40, failures: 10, spentNanos: 700 });
    await world.addCalls({ calls: 60, model: 'acme/large', spentNanos: 300, durationBound: 50 });
    await world.addCalls({ calls: 1_000, minutesAgo: 7 });
    expect(await observe('request_count')).toBe(100n);
    expect(await observe('request_count', { model: 'acme/small' })).toBe(40n);
    expect(await observe('request_count', { project_id: 'proj_1' })).toBe(0n);
    expect(await observe('spend_nanos', { provider: 'acme' })).toBe(1_000n);
    // Amounts that own accounts pay are spent, too, and not by the wallet.
    await test.database.pool.query(`UPDATE call_minutes SET provider_nanos = 50 WHERE model = 'acme/large'`);
    expect(await observe('spend_nanos', { provider: 'acme' })).toBe(1_050n);
    expect(await observe('error_rate_bps')).toBe(1_000n);
    expect(await observe('error_rate_bps', { model: 'acme/small' })).toBe(2_500n);
    const [fast, all] = [
      await observe('latency_p95_ms', { model: 'acme/small' }),
      await observe('ttft_p95_ms'),
    ];
    expect(fast).toBeGreaterThan(0n);
    expect(all).toBeGreaterThan(fast!);
  });

  it('of the wallet is what is available, and for how long it lasts at the spend of a day', async () => {
    expect(await observe('wallet_available_nanos')).toBe(1_000_000n);
    expect(await observe('wallet_runway_hours')).toBeNull();
    await world.addCalls({ calls: 1, spentNanos: 240_000, minutesAgo: 600 });
    expect(await observe('wallet_runway_hours')).toBe(100n);
  });

  it('of webhooks is the worst endpoint, and a disabled one counts as 25', async () => {
    const addEndpoint = (id: string, fields: object) =>
      test.database.prisma.webhookEndpoint.create({
        data: {
          id,
          organizationId: world.organizationId,
          url: 'https://example.com',
          eventTypes: [],
          secretCiphertext: new Uint8Array(),
          secretLast4: 'abcd',
          ...fields,
        },
      });
    expect(await observe('delivery_failures')).toBe(0n);
    await addEndpoint('whe_1', { consecutiveFailures: 7 });
    expect(await observe('delivery_failures')).toBe(7n);
    await addEndpoint('whe_2', { state: 'disabled', consecutiveFailures: 0 });
    expect(await observe('delivery_failures')).toBe(25n);
    expect(await observe('delivery_failures', { webhook_endpoint_id: 'whe_1' })).toBe(7n);
  });

  it('of circuits is the time since when all endpoints are open that the policy allows', async () => {
    await test.database.pool.query(
      `INSERT INTO edge_instances (id, lease_until) VALUES ('edge_1', now() + interval '1 hour')`,
    );
    const report = (endpointId: string, provider: string, openSeconds: number | null) =>
      test.database.pool.query(
        `INSERT INTO circuit_reports (endpoint_id, edge_instance_id, model, provider, open_since, planned_at, reported_at)
         VALUES ($1, 'edge_1', 'acme/small', $2, now() - $3 * interval '1 s', now(), now())`,
        [endpointId, provider, openSeconds],
      );
    const model = { model: 'acme/small' };
    expect(await observe('circuit_open_seconds', model)).toBeNull();
    await report('a', 'acme', 120);
    await report('b', 'other', null);
    expect(await observe('circuit_open_seconds', model)).toBe(0n);
    const ofAcme = await observe('circuit_open_seconds', { provider: 'acme' });
    expect(Number(ofAcme)).toBeGreaterThanOrEqual(120);
    // Its endpoint left the catalog, so no call is planned with it any more.
    await report('gone', 'other', null);
    let version = 0;
    const underPolicy = async (document: object) => {
      version += 1;
      await test.database.prisma.policyVersion.create({
        data: { id: systemIds('policy'), organizationId: world.organizationId, version, document },
      });
      return observe('circuit_open_seconds', model);
    };
    for (const onlyOpen of [
      { denied_providers: ['other'] },
      { allowed_providers: ['acme'], denied_models: [] },
      { allowed_regions: ['eu'] },
      { denied_regions: ['us'] },
    ]) {
      expect(Number(await underPolicy(onlyOpen))).toBeGreaterThanOrEqual(120);
    }
    expect(await underPolicy({ require_zero_retention: true })).toBe(0n);
    expect(await underPolicy({ require_zero_retention: false, allowed_regions: ['us', 'eu'] })).toBe(0n);
    expect(await underPolicy({ denied_models: ['acme/small'] })).toBeNull();
  });
});
