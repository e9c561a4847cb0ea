import fc from 'fast-check';
import { arbitraryCall } from '../testing/arbitrary-call';
import { callSpan } from './call-span';
import { testSpan } from './test-span';

const [call] = fc.sample(arbitraryCall, { numRuns: 1, seed: 7 }) as [Parameters<typeof callSpan>[0]];
const served = {
  ...call,
  operation: 'messages' as const,
  model: 'acme/large',
  provider: 'acme',
  region: 'eu',
  projectId: null,
  inputTokens: 12,
  outputTokens: 3,
  attempts: 2,
  costNanos: 450,
  providerNanos: 0,
  status: 'succeeded' as const,
  errorCode: null,
  startMs: 1_795_000_000_000,
  endMs: 1_795_000_001_500,
  trace: null,
};
const ALLOWED = [
  'gen_ai.operation.name',
  'gen_ai.request.model',
  'gen_ai.provider.name',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
  'svc.request_id',
  'svc.organization_id',
  'svc.project_id',
  'svc.api_key_id',
  'svc.region',
  'svc.attempts',
  'svc.cost_nanos',
  'svc.cost.provider_nanos',
  'svc.error_code',
];

describe('the span of a call', () => {
  it('has the names of the conventions, and the facts that are known', () => {
    expect(callSpan(served)).toEqual({
      name: 'chat acme/large',
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      parentSpanId: null,
      startMs: 1_795_000_000_000,
      endMs: 1_795_000_001_500,
      hasFailed: false,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'acme/large',
        'gen_ai.provider.name': 'acme',
        'gen_ai.usage.input_tokens': 12,
        'gen_ai.usage.output_tokens': 3,
        'svc.request_id': served.requestId,
        'svc.organization_id': served.organizationId,
        'svc.api_key_id': served.apiKeyId,
        'svc.region': 'eu',
        'svc.attempts': 2,
        'svc.cost_nanos': 450,
      },
    });
  });

  it('tells what an own account at the provider pays, where one does', () => {
    expect(callSpan({ ...served, providerNanos: 900 }).attributes).toMatchObject({
      'svc.cost_nanos': 450,
      'svc.cost.provider_nanos': 900,
    });
  });

  it('is named after its operation', () => {
    expect(callSpan({ ...served, operation: 'chat_completions' }).name).toBe('chat acme/large');
    expect(callSpan({ ...served, operation: 'responses' }).name).toBe('chat acme/large');
    expect(callSpan({ ...served, operation: 'embeddings' }).name).toBe('embeddings acme/large');
  });

  it('tells that the call failed, and by which code', () => {
    const failed = callSpan({ ...served, status: 'failed', errorCode: 'provider_error' });
    expect(failed.hasFailed).toBe(true);
    expect(failed.attributes['svc.error_code']).toBe('provider_error');
    expect(callSpan({ ...served, status: 'cancelled' }).hasFailed).toBe(false);
  });

  it('continues the trace of its caller', () => {
    const trace = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), parentSpanId: 'c'.repeat(16) };
    expect(callSpan({ ...served, trace })).toMatchObject(trace);
  });

  it('without a trace of its caller has ids of its own, the same each time', () => {
    expect(callSpan(served)).toEqual(callSpan(served));
    expect(callSpan({ ...served, requestId: `${served.requestId.slice(0, -1)}0` }).traceId).not.toBe(
      callSpan(served).traceId,
    );
  });

  it('never ends before it begins, and has no attribute that is not allowed', () => {
    fc.assert(
      fc.property(arbitraryCall, (any) => {
        const span = callSpan(any);
        expect(span.endMs).toBeGreaterThanOrEqual(span.startMs);
        expect(ALLOWED).toEqual(expect.arrayContaining(Object.keys(span.attributes)));
      }),
    );
  });
});

it('the span of a test names the organization alone', () => {
  const span = testSpan({ organizationId: 'org_1', deliveryId: 'dlv_1' }, 1_795_000_000_000);
  expect(span).toMatchObject({ name: 'svc.test', attributes: { 'svc.organization_id': 'org_1' } });
});
