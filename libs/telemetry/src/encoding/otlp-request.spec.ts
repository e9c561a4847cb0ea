import fc from 'fast-check';
import { minuteMetrics } from '../metrics/minute-metrics';
import { callSpan } from '../spans/call-span';
import { arbitraryCall } from '../testing/arbitrary-call';
import { encodeMetrics, encodeSpans, rejectedIn } from './otlp-request';

const calls = fc.sample(arbitraryCall, { numRuns: 3, seed: 1 });
const jsonOf = (body: Buffer) => JSON.parse(body.toString()) as Record<string, unknown>;

describe('a request of the protocol', () => {
  it('has the media type of its encoding', async () => {
    const spans = calls.map(callSpan);
    expect((await encodeSpans(spans, 'protobuf')).contentType).toBe('application/x-protobuf');
    expect((await encodeSpans(spans, 'json')).contentType).toBe('application/json');
  });

  it('has one span a call', async () => {
    const { body } = await encodeSpans(calls.map(callSpan), 'json');
    expect(jsonOf(body)).toMatchObject({
      resourceSpans: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'svc' } }] },
          scopeSpans: [{ spans: calls.map((call) => ({ name: callSpan(call).name, kind: 3 })) }],
        },
      ],
    });
  });

  it('has metrics in delta temporality, of the period', async () => {
    const times = { boundsMs: [1], counts: [1, 0] };
    const sum = {
      organizationId: 'org_1',
      projectId: null,
      apiKeyId: 'key_1',
      model: 'acme/large',
      provider: 'acme',
    };
    const counts = { calls: 1, failures: 0, inputTokens: 5, outputTokens: 5, spentNanos: 5 };
    const metrics = minuteMetrics([{ ...sum, ...counts, durations: times, timesToFirstToken: times }]);
    const period = { startMs: 1_795_000_020_000, endMs: 1_795_000_080_000 };
    const { body } = await encodeMetrics(metrics, period, 'json');
    const [{ scopeMetrics }] = jsonOf(body)['resourceMetrics'] as [{ scopeMetrics: [{ metrics: Sent[] }] }];
    for (const { sum: sent, histogram } of scopeMetrics[0].metrics) {
      expect(sent ?? histogram).toMatchObject({ aggregationTemporality: 1 });
      expect((sent ?? histogram)?.dataPoints[0]).toMatchObject({
        startTimeUnixNano: '1795000020000000000',
        timeUnixNano: '1795000080000000000',
      });
    }
  });

  interface Sent {
    readonly sum?: { readonly dataPoints: readonly unknown[] };
    readonly histogram?: { readonly dataPoints: readonly unknown[] };
  }
});

describe('a partial success', () => {
  it('says in JSON how much was rejected', async () => {
    const answer = (partialSuccess: object) => Buffer.from(JSON.stringify({ partialSuccess }));
    expect(await rejectedIn('traces', 'json', answer({ rejectedSpans: '3', errorMessage: 'too old' }))).toBe(
      3,
    );
    expect(await rejectedIn('metrics', 'json', answer({ rejectedDataPoints: 2 }))).toBe(2);
    expect(await rejectedIn('traces', 'json', answer({ errorMessage: 'be warned' }))).toBe(0);
  });

  it('says in protobuf how much was rejected', async () => {
    // partial_success (1) { rejected (1): 300, error_message (2): "old" }
    const answer = Uint8Array.from([0x0a, 8, 0x08, 0xac, 0x02, 0x12, 3, 0x6f, 0x6c, 0x64]);
    expect(await rejectedIn('traces', 'protobuf', answer)).toBe(300);
    expect(await rejectedIn('metrics', 'protobuf', answer)).toBe(300);
  });

  it('is none in an answer that is empty or cannot be read', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('traces' as const, 'metrics' as const),
        fc.constantFrom('json' as const, 'protobuf' as const),
        fc.constantFrom('', 'ok', '<html>', 'null', '[1]', '{"partialSuccess":null}', '\u00ff\u00ff'),
        async (signal, encoding, text) => {
          expect(await rejectedIn(signal, encoding, Buffer.from(text, 'latin1'))).toBe(0);
        },
      ),
    );
  });
});
