import { isId, type IdKind } from '@svc/kernel';
import { z } from 'zod';

const TEXT_MAX_CHARACTERS = 256;

const id = (kind: IdKind) => z.string().refine((text): boolean => isId(kind, text));
const count = z.int().min(0);
/** A name of the catalog. */
const name = z.string().min(1).max(TEXT_MAX_CHARACTERS);
const spanId = z.string().regex(/^(?!0{16})[0-9a-f]{16}$/);

const finishedCall = z.object({
  requestId: id('request'),
  organizationId: id('organization'),
  /** Null: without a project. */
  projectId: id('project').nullable(),
  apiKeyId: id('apiKey'),
  operation: z.enum(['chat_completions', 'messages', 'responses', 'embeddings']),
  /** The model that is charged: an id of the catalog, whatever the caller called it. */
  model: name.regex(/^\S+$/),
  /** Null, as the region: no provider answered. */
  provider: name.nullable(),
  region: name.nullable(),
  attempts: count,
  /** Null: not known. Cached tokens are among them. */
  inputTokens: count.nullable(),
  outputTokens: count.nullable(),
  /** The charge of the customer. */
  costNanos: count,
  /** The part of the customer's own account at the provider. The version before does not tell it. */
  providerNanos: count.default(0),
  status: z.enum(['succeeded', 'failed', 'cancelled']),
  /** A code of the error catalogue; null for a call without an error. */
  errorCode: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,63}$/)
    .nullable(),
  /** Unix milliseconds. */
  startMs: count,
  endMs: count,
  /** The call's place in the trace of its caller; null for a call without one. */
  trace: z
    .object({ traceId: z.string().regex(/^(?!0{32})[0-9a-f]{32}$/), spanId, parentSpanId: spanId })
    .nullable(),
});

/**
 * The facts of a call that telemetry may tell: an allow list. Nothing of a prompt, an output, a header or a secret has a
 * place in it (docs/decisions/0043).
 */
export type FinishedCall = Readonly<z.output<typeof finishedCall>>;

/** The message by which an edge hands a call over. Fields that are not on the allow list are left out. */
export function writeFinishedCall(call: FinishedCall): string {
  return JSON.stringify(pick(call));
}

/** @returns null for a text that is no such message. Fields that are not on the allow list are left out. */
export function readFinishedCall(text: string): FinishedCall | null {
  const read = finishedCall.safeParse(jsonIn(text));
  return read.success ? read.data : null;
}

/** By hand: checking each call would cost edges more than the rest of the hand-over. */
const pick = (call: FinishedCall): FinishedCall => ({
  requestId: call.requestId,
  organizationId: call.organizationId,
  projectId: call.projectId,
  apiKeyId: call.apiKeyId,
  operation: call.operation,
  model: call.model,
  provider: call.provider,
  region: call.region,
  attempts: call.attempts,
  inputTokens: call.inputTokens,
  outputTokens: call.outputTokens,
  costNanos: call.costNanos,
  providerNanos: call.providerNanos,
  status: call.status,
  errorCode: call.errorCode,
  startMs: call.startMs,
  endMs: call.endMs,
  trace: call.trace === null ? null : pickTrace(call.trace),
});

const pickTrace = ({ traceId, spanId, parentSpanId }: NonNullable<FinishedCall['trace']>) => ({
  traceId,
  spanId,
  parentSpanId,
});

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
