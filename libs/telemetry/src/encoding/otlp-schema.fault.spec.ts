import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { minuteMetrics, type MinuteSum } from '../metrics/minute-metrics';
import { callSpan } from '../spans/call-span';
import { arbitraryCall } from '../testing/arbitrary-call';
import { encodeMetrics, encodeSpans, type OtlpEncoding, type OtlpRequest } from './otlp-request';

/** A Python with `opentelemetry-proto`, which the set-up of the fault tier has installed. */
const python = process.env['SVC_TEST_OTLP_PYTHON'] ?? '';
const JUDGE = join(__dirname, '../../../../apps/e2e/python/otlp_judge.py');
const encodings: readonly OtlpEncoding[] = ['protobuf', 'json'];

/** The requests as the protocol's own schema reads them. */
function judged(signal: 'traces' | 'metrics', requests: readonly OtlpRequest[]): readonly unknown[] {
  const lines = requests.map(({ body }, at) =>
    JSON.stringify({ signal, encoding: encodings[at], body: body.toString('base64') }),
  );
  const read = execFileSync(python, [JUDGE], {
    input: lines.join('\n'),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return read
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

const base64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64');
const anyValue = (value: string | number) =>
  typeof value === 'string' ? { stringValue: value } : { intValue: String(value) };
const nanosOf = (ms: number) => `${String(ms)}000000`;

describe('the schema of the protocol', () => {
  it('reads every span in both encodings as it was meant', async () => {
    const spans = fc.sample(arbitraryCall, { numRuns: 300, seed: 42 }).map(callSpan);
    const read = judged(
      'traces',
      await Promise.all(encodings.map((encoding) => encodeSpans(spans, encoding))),
    );
    const expected = spans.map((span) => ({
      traceId: base64(span.traceId),
      spanId: base64(span.spanId),
      ...(span.parentSpanId === null ? {} : { parentSpanId: base64(span.parentSpanId) }),
      name: span.name,
      kind: 'SPAN_KIND_CLIENT',
      startTimeUnixNano: nanosOf(span.startMs),
      endTimeUnixNano: nanosOf(span.endMs),
      attributes: Object.entries(span.attributes).map(([key, value]) => ({ key, value: anyValue(value) })),
      status: span.hasFailed ? { code: 'STATUS_CODE_ERROR' } : {},
    }));
    for (const request of read) {
      expect(request).toMatchObject({ resourceSpans: [{ scopeSpans: [{ spans: expected }] }] });
    }
  });

  it('reads every metric in both encodings as it was meant', async () => {
    const times = { boundsMs: [1, 10, 600_000], counts: [0, 2, 1, 4] };
    const sum: MinuteSum = {
      organizationId: 'org_1',
      projectId: null,
      apiKeyId: 'key_1',
      model: 'acme/large',
      provider: 'acme',
      calls: 2 ** 40,
      failures: 1,
      inputTokens: 2 ** 50,
      outputTokens: 7,
      spentNanos: 2 ** 52 + 1,
      durations: times,
      timesToFirstToken: times,
    };
    const period = { startMs: 1_795_000_020_000, endMs: 1_795_000_080_000 };
    const metrics = minuteMetrics([sum, { ...sum, provider: null }]);
    const read = judged(
      'metrics',
      await Promise.all(encodings.map((encoding) => encodeMetrics(metrics, period, encoding))),
    );
    const at = { startTimeUnixNano: nanosOf(period.startMs), timeUnixNano: nanosOf(period.endMs) };
    const temporality = { aggregationTemporality: 'AGGREGATION_TEMPORALITY_DELTA' };
    const ofSum = (value: number) => ({
      sum: { ...temporality, isMonotonic: true, dataPoints: [{ ...at, asInt: String(value) }, {}] },
    });
    const ofTimes = {
      histogram: {
        ...temporality,
        dataPoints: [
          { ...at, count: '7', bucketCounts: ['0', '2', '1', '4'], explicitBounds: [0.001, 0.01, 600] },
          {},
        ],
      },
    };
    for (const request of read) {
      expect(request).toMatchObject({
        resourceMetrics: [
          {
            scopeMetrics: [
              {
                metrics: [
                  { name: 'svc.calls', unit: '{call}', ...ofSum(2 ** 40) },
                  { name: 'svc.failures', ...ofSum(1) },
                  { name: 'svc.cost_nanos', ...ofSum(2 ** 52 + 1) },
                  {
                    name: 'gen_ai.client.token.usage',
                    histogram: {
                      ...temporality,
                      dataPoints: [{ ...at, count: String(2 ** 40), sum: 2 ** 50 }, { sum: 7 }, {}, {}],
                    },
                  },
                  { name: 'gen_ai.server.request.duration', unit: 's', ...ofTimes },
                  { name: 'gen_ai.server.time_to_first_token', unit: 's', ...ofTimes },
                ],
              },
            ],
          },
        ],
      });
    }
  });
});
