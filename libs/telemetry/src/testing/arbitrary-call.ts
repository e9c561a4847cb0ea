import fc from 'fast-check';
import { formatId, type IdKind } from '@svc/kernel';
import { type FinishedCall } from '../calls/finished-call';

const id = (kind: IdKind) =>
  fc
    .uint8Array({ minLength: 10, maxLength: 10 })
    .map((entropy) => formatId(kind, 1_795_000_000_000, entropy));
const hex = (digits: number) =>
  fc.bigInt({ min: 1n, max: 16n ** BigInt(digits) - 1n }).map((n) => n.toString(16).padStart(digits, '0'));
const count = fc.nat({ max: 2 ** 48 });
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

/** Calls as edges hand them over. */
export const arbitraryCall: fc.Arbitrary<FinishedCall> = fc.record({
  requestId: id('request'),
  organizationId: id('organization'),
  projectId: orNull(id('project')),
  apiKeyId: id('apiKey'),
  operation: fc.constantFrom(
    'chat_completions' as const,
    'messages' as const,
    'responses' as const,
    'embeddings' as const,
  ),
  model: fc.constantFrom('acme/large', 'acme/small-2026-11-01'),
  provider: orNull(fc.constantFrom('acme', 'Other Cloud')),
  region: orNull(fc.constantFrom('eu', 'us-east-1')),
  attempts: fc.nat({ max: 9 }),
  inputTokens: orNull(count),
  outputTokens: orNull(count),
  costNanos: count,
  providerNanos: count,
  status: fc.constantFrom('succeeded' as const, 'failed' as const, 'cancelled' as const),
  errorCode: orNull(fc.constantFrom('provider_error', 'provider_rejected')),
  startMs: fc.integer({ min: 1_600_000_000_000, max: 1_900_000_000_000 }),
  endMs: fc.integer({ min: 1_600_000_000_000, max: 1_900_000_000_000 }),
  trace: orNull(fc.record({ traceId: hex(32), spanId: hex(16), parentSpanId: hex(16) })),
});
