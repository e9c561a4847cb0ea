import { formatTraceparent, readTraceContext, type NewSpanId, type TraceContext } from '@svc/kernel';
import { type CallHeaders } from './inference-call';

/** A call's span in the trace of its caller (docs/reference/inference-and-compatibility.md#traces). */
export class CallTrace {
  readonly spanId: string;

  constructor(
    private readonly context: TraceContext,
    private readonly newSpanId: NewSpanId,
  ) {
    this.spanId = newSpanId();
  }

  get traceId(): string {
    return this.context.traceId;
  }

  get parentSpanId(): string {
    return this.context.parentSpanId;
  }

  /** For one attempt at an upstream: each has a span id of its own, which tells the attempts of a fallback apart. */
  headersOfAttempt(): readonly (readonly [string, string])[] {
    const { traceState } = this.context;
    const traceparent = ['traceparent', formatTraceparent(this.context, this.newSpanId())] as const;
    return traceState === null ? [traceparent] : [traceparent, ['tracestate', traceState]];
  }
}

/** Null for a call without a valid `traceparent`: no trace is begun here. */
export function traceOf({ traceparent, tracestate }: CallHeaders, newSpanId: NewSpanId): CallTrace | null {
  if (typeof traceparent !== 'string') return null;
  const context = readTraceContext(traceparent, typeof tracestate === 'string' ? tracestate : undefined);
  return context === null ? null : new CallTrace(context, newSpanId);
}
