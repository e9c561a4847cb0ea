import { createHash } from 'node:crypto';
import { type Span } from './span';

interface TestedIntegration {
  readonly organizationId: string;
  /** Of the delivery that carries the span: it makes the ids of the span. */
  readonly deliveryId: string;
}

/** The span of a test: it names the organization, and nothing else. */
export function testSpan({ organizationId, deliveryId }: TestedIntegration, nowMs: number): Span {
  const digest = createHash('sha256').update(deliveryId).digest('hex');
  return {
    name: 'svc.test',
    traceId: digest.slice(0, 32),
    spanId: digest.slice(32, 48),
    parentSpanId: null,
    startMs: nowMs,
    endMs: nowMs,
    hasFailed: false,
    attributes: { 'svc.organization_id': organizationId },
  };
}
