import { retryAfterMsOf, type UpstreamFailure } from '@svc/policy';
import {
  failureOfPlainAnswer,
  generatesText,
  upstreamErrorMessage,
  upstreamErrorNames,
  type Operation,
  type PlainAnswer,
  type StreamFailure,
  type StreamRelay,
} from '@svc/protocol';
import { type Redaction } from '../credentials/redaction';
import { joined } from '../call/joined';
import { firstBytes } from '../providers/first-bytes';
import { type UpstreamAnswer } from '../providers/upstream-call';
import { type PlainExchange, type StreamExchange } from './exchange';

/** The part of an upstream's error body that is read: enough for its message. */
const ERROR_BODY_BYTES_MAX = 64 * 1024;
/** More than any model writes as text: a broken upstream must not fill the memory. */
const PLAIN_BODY_BYTES_MAX = 64 * 1024 * 1024;

/** An attempt that was answered. */
export type Answer =
  | Pick<PlainExchange, 'kind' | 'answer'>
  | Pick<StreamExchange, 'kind' | 'relay' | 'passed' | 'rest' | 'redact'>;

/** The result of one attempt. */
export type Reading = Answer | { readonly kind: 'failure'; readonly failure: UpstreamFailure };

const notTheProtocol: Reading = { kind: 'failure', failure: { kind: 'not_the_protocol' } };
const tooManyVectors: Reading = { kind: 'failure', failure: { kind: 'too_many_vectors' } };

/**
 * An answer that is not streamed. Above 64 MiB text is the provider's error, and vectors are more than the caller may
 * ask for (docs/reference/inference-and-compatibility.md#size).
 */
export async function readPlain(
  upstream: UpstreamAnswer,
  operation: Operation,
  read: (bytes: Uint8Array) => PlainAnswer | null,
  redact: Redaction,
): Promise<Reading> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of upstream.body) {
    size += chunk.byteLength;
    // Returning from the loop ends the upstream call.
    if (size > PLAIN_BODY_BYTES_MAX) return generatesText(operation) ? notTheProtocol : tooManyVectors;
    chunks.push(chunk);
  }
  const bytes = joined(chunks);
  const answer = read(bytes);
  return answer === null ? noAnswer(failureOfPlainAnswer(bytes), redact) : { kind: 'plain', answer };
}

/** Reads until the answer itself begins: before that, another endpoint can still take over. */
export async function beginStream(
  upstream: UpstreamAnswer,
  relay: StreamRelay,
  redact: Redaction,
): Promise<Reading> {
  const rest = upstream.body[Symbol.asyncIterator]();
  const passed: Uint8Array[] = [];
  while (relay.state === 'open' && !relay.started) {
    const chunk = await rest.next();
    if (chunk.done === true) relay.end();
    else passed.push(...relay.push(chunk.value));
  }
  if (relay.started) return { kind: 'stream', relay, passed, rest, redact };
  await rest.return?.();
  return failed(relay.failure, redact);
}

/** A 200 without an answer. What the provider says of a failure of its own is passed on. */
function noAnswer(failure: StreamFailure | null, redact: Redaction): Reading {
  if (failure === null) return notTheProtocol;
  if (failure.status !== undefined && failure.status < 500) return failed(failure, redact);
  return {
    kind: 'failure',
    failure: { kind: 'not_the_protocol', providerMessage: redact(failure.message) },
  };
}

/** The provider said by itself that it failed. Without a status it broke the protocol. */
function failed(failure: StreamFailure | null, redact: Redaction): Reading {
  if (failure?.status === undefined) return notTheProtocol;
  const { status, message } = failure;
  return {
    kind: 'failure',
    failure: { kind: 'status', status, providerMessage: redact(message), retryAfterMs: null },
  };
}

export async function readRefusal(
  upstream: UpstreamAnswer,
  redact: Redaction,
  nowMs: number,
): Promise<Reading> {
  const body = await firstBytes(upstream.body, ERROR_BODY_BYTES_MAX);
  const message = upstreamErrorMessage(body);
  const retryAfter = upstream.headers['retry-after'];
  return {
    kind: 'failure',
    failure: {
      kind: 'status',
      status: upstream.status,
      providerMessage: message === null ? null : redact(message),
      retryAfterMs: retryAfterMsOf(typeof retryAfter === 'string' ? retryAfter : null, nowMs),
      errorNames: upstreamErrorNames(body),
    },
  };
}
