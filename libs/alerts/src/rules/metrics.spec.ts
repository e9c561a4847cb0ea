import { alertFilterFields, alertMetrics, problemOfWatch, spanStartMs, type AlertFilter } from './metrics';

const none = Object.fromEntries(alertFilterFields.map((field) => [field, null])) as AlertFilter;
const paramOf = (watch: Partial<Parameters<typeof problemOfWatch>[0]>) =>
  problemOfWatch({ metric: 'spend_nanos', period: null, filter: none, ...watch })?.param ?? null;

describe('what a rule watches', () => {
  it.each(alertMetrics)('%s takes no filter that the reference does not give it', (metric) => {
    const filter = metric === 'circuit_open_seconds' ? { ...none, model: 'acme/small' } : none;
    expect(paramOf({ metric, filter })).toBeNull();
    const refused = alertFilterFields.filter(
      (field) => paramOf({ metric, filter: { ...filter, [field]: 'x' } }) === `filter.${field}`,
    );
    expect(alertFilterFields.filter((field) => !refused.includes(field))).toEqual(taken[metric]);
  });

  const calls = ['project_id', 'api_key_id', 'model', 'provider'];
  const taken = {
    spend_nanos: calls,
    request_count: calls,
    error_rate_bps: calls,
    latency_p95_ms: calls,
    ttft_p95_ms: calls,
    wallet_available_nanos: [],
    wallet_runway_hours: [],
    budget_consumed_bps: ['budget_id'],
    delivery_failures: ['webhook_endpoint_id', 'integration_id'],
    circuit_open_seconds: ['model', 'provider'],
  };

  it('has a period for spend alone', () => {
    expect(paramOf({ period: 'day' })).toBeNull();
    expect(paramOf({ period: 'month', metric: 'request_count' })).toBe('period');
  });

  it('is an endpoint or an integration, and a circuit of something', () => {
    const both = { ...none, webhook_endpoint_id: 'x', integration_id: 'x' };
    expect(paramOf({ metric: 'delivery_failures', filter: both })).toBe('filter.integration_id');
    expect(paramOf({ metric: 'circuit_open_seconds' })).toBe('filter');
  });
});

describe('the span of an observation', () => {
  const at = Date.UTC(2026, 10, 23, 14, 33, 27, 500);
  const startOf = (fields: Partial<Parameters<typeof spanStartMs>[0]>) =>
    new Date(
      spanStartMs({ metric: 'spend_nanos', period: null, windowSeconds: 300, ...fields }, at),
    ).toISOString();

  it.each([
    [{}, '2026-11-23T14:28:00.000Z'],
    [{ windowSeconds: 60 }, '2026-11-23T14:32:00.000Z'],
    [{ period: 'day' }, '2026-11-23T00:00:00.000Z'],
    [{ period: 'month' }, '2026-11-01T00:00:00.000Z'],
    [{ metric: 'wallet_runway_hours' }, '2026-11-22T14:33:00.000Z'],
    [{ metric: 'wallet_available_nanos' }, '2026-11-23T14:33:27.500Z'],
  ] as const)('of %j begins at %s', (fields, start) => {
    expect(startOf(fields)).toBe(start);
  });
});
