import { createMetrics, type Registry } from '@svc/runtime/observability';
import { CallMetrics } from './call-metrics';

let registry: Registry;
let metrics: CallMetrics;

beforeEach(() => {
  registry = createMetrics('edge');
  metrics = new CallMetrics(registry);
});

const valueOf = async (name: string, labels: Record<string, string> = {}): Promise<number | undefined> => {
  const found = (await registry.getMetricsAsJSON()).flatMap(({ values }) => values as Sample[]);
  const matches = ({ metricName, labels: own }: Sample) =>
    metricName === name && Object.entries(labels).every(([label, value]) => own[label] === value);
  return found.find(matches)?.value;
};

const valueOfGauge = async (name: string): Promise<number | undefined> =>
  (await registry.getSingleMetric(name)?.get())?.values[0]?.value;

interface Sample {
  readonly metricName?: string;
  readonly labels: Record<string, string | number>;
  readonly value: number;
}

const served = {
  outcome: 'succeeded',
  provider: 'acme',
  model: 'acme/small',
  upstream_ms: 90,
  ttft_ms: 92,
  input_tokens: 7,
  output_tokens: 11,
  customer_nanos: 1_500_000,
};

describe('the metrics of inference calls', () => {
  it('show how many are in flight at a scrape', async () => {
    let count = 3;
    metrics.watch(() => count);
    expect(await valueOfGauge('svc_inference_calls_in_flight')).toBe(3);
    count = 0;
    expect(await valueOfGauge('svc_inference_calls_in_flight')).toBe(0);
  });

  it('separate the gateway’s own share from the wait for providers', async () => {
    metrics.observe('messages', served, { durationMs: 200, begunAfterMs: 92 });
    expect(await valueOf('svc_inference_overhead_seconds_sum')).toBeCloseTo(0.002);
    expect(await valueOf('gen_ai_server_request_duration_seconds_sum')).toBeCloseTo(0.2);
    expect(await valueOf('gen_ai_server_time_to_first_token_seconds_sum')).toBeCloseTo(0.092);
  });

  it('count the tokens of both directions under the names of OpenTelemetry', async () => {
    metrics.observe('messages', served, { durationMs: 200, begunAfterMs: 92 });
    const sum = (type: string) => valueOf('gen_ai_client_token_usage_sum', { gen_ai_token_type: type });
    expect([await sum('input'), await sum('output')]).toEqual([7, 11]);
  });

  it('add up what calls cost, in dollars, by model and provider', async () => {
    const times = { durationMs: 200, begunAfterMs: 92 };
    for (const provider of ['acme', 'acme', 'other'])
      metrics.observe('messages', { ...served, provider }, times);
    metrics.observe('messages', { ...served, provider: 'free', customer_nanos: 0 }, times);
    const text = await registry.getSingleMetricAsString('svc_inference_cost_usd_total');
    const label = (provider: string) =>
      `{gen_ai_provider_name="${provider}",gen_ai_request_model="acme/small",service="edge"}`;
    expect(text.split('\n').slice(2)).toEqual([
      `svc_inference_cost_usd_total${label('acme')} 0.003`,
      `svc_inference_cost_usd_total${label('other')} 0.0015`,
    ]);
  });

  it('make no series of a model’s name that no provider was called for', async () => {
    const refused = { outcome: 'refused', error_code: 'not_found', model: 'made/up' };
    metrics.observe('chat_completions', refused, { durationMs: 1, begunAfterMs: null });
    expect(await registry.metrics()).not.toContain('made/up');
    const counter = (await registry.getSingleMetricAsString('svc_inference_calls_total')).split('\n').at(-1);
    expect(counter).toContain('error_type="not_found"');
  });
});
