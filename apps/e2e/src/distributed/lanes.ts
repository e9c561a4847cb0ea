import { testModel } from '../harness/catalog-file';
import { directed, post, svcOf, type ErrorBody } from '../harness/clients';
import { endedWell, framesOf } from '../harness/stream-frames';
import { type Svc } from '../harness/svc-process';
import { callApi } from '../oauth/oauth-app';
import { OK, type WholeAnswer } from './steady-load';

/** The address and the key of calls. */
export type At = Pick<Svc, 'baseUrl' | 'apiKey'>;

/** Longer than any outage: a try without an answer fails and does not hang the spec. */
const TRY_TIMEOUT_MS = 150_000;

export const CHAT = '/v1/chat/completions';
export const MESSAGES = '/v1/messages';

export const call = (directive: Record<string, unknown> = {}, more: object = {}) => ({
  model: testModel,
  max_tokens: 60,
  messages: [directed(directive, 'Hello')],
  ...more,
});

/** Sends a call, reads its answer to the end, and keeps it if it is whole. */
export async function ask(
  at: At,
  path: string,
  body: object,
  { answers, headers = {} }: { answers: WholeAnswer[]; headers?: Record<string, string> },
): Promise<string> {
  const signal = AbortSignal.timeout(TRY_TIMEOUT_MS);
  const response = await post(at as Svc, path, body, { headers, signal });
  const text = await response.text();
  if (response.status !== 200) {
    // An answer of the proxy itself has no error code.
    const { error } = JSON.parse(text) as Partial<ErrorBody>;
    return `${String(response.status)} ${error?.code ?? ''}`;
  }
  const isStream = !text.startsWith('{');
  if (isStream && !endedWell(text)) return 'broken off';
  const frames = isStream ? framesOf(text) : [JSON.parse(text) as Record<string, unknown>];
  const { cost } = svcOf(frames.findLast((frame) => 'svc' in frame));
  answers.push({ id: response.headers.get('x-request-id') ?? '', cost: BigInt(cost.customer_nanos) });
  return OK;
}

/** Plain and streamed calls on both routes in turn. */
export function mixedCalls(
  at: At,
  answers: WholeAnswer[],
  headers: Record<string, string> = {},
): () => Promise<string> {
  let count = 0;
  return () => {
    const nth = count++;
    const stream = nth % 2 === 0;
    const path = nth % 4 < 2 ? CHAT : MESSAGES;
    const pace = stream ? { reply_words: 8, chunk_delay_ms: 20 } : { delay_ms: 20 };
    return ask(at, path, call(pace, { stream }), { answers, headers });
  };
}

/** Calls with one idempotency key after the other: each is retried until it is answered. */
export function keyedCalls(at: At, answers: WholeAnswer[], prefix: string): () => Promise<string> {
  let count = 0;
  return async () => {
    const headers = { 'idempotency-key': `${prefix}-${String(count)}` };
    const outcome = await ask(at, CHAT, call({ delay_ms: 50 }), { answers, headers });
    if (outcome === OK) count++;
    return outcome;
  };
}

/** Creates API keys: each is an event. @param made receives the id of each, and when it was created. */
export function newKeys({ baseUrl, apiKey }: At, made: Map<string, number>): () => Promise<string> {
  return async () => {
    const body = { name: 'an event', scopes: ['org:read'] };
    const answer = await callApi(baseUrl, 'POST', '/api/v1/keys', apiKey, body);
    if (answer.status !== 201) return String(answer.status);
    made.set(answer.body.api_key.id as string, performance.now());
    return OK;
  };
}

/** A console session, looked up again and again. */
export async function sessionLookups({ baseUrl, ready }: Svc): Promise<() => Promise<string>> {
  const login = await fetch(`${baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: ready.owner_email, password: ready.owner_password }),
  });
  const cookie = login.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  return async () => {
    const { status } = await fetch(`${baseUrl}/auth/session`, { headers: { cookie } });
    return status === 200 ? OK : String(status);
  };
}
