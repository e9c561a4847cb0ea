import { eventually, freePort } from '@svc/testing';
import {
  catalogOf,
  embeddingModel,
  testModel,
  withEmbeddings,
  type CatalogDocument,
} from './harness/catalog-file';
import { directed, directedText, post, type ErrorBody } from './harness/clients';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const CHAT = '/v1/chat/completions';
/** As long as an edge may keep a policy. */
const POLICY_WITHIN_MS = 30_000;

interface ShownCall {
  readonly id: string;
  readonly status: string;
  readonly error: ErrorBody['error'] | null;
  readonly warnings: readonly { readonly param: string }[] | null;
  readonly session_id: string | null;
  readonly policy_version: number | null;
  readonly usage: Readonly<Record<'input_tokens' | 'output_tokens', number>>;
  readonly attempts: readonly {
    readonly provider: string;
    readonly status: number | null;
    readonly started_ms: number;
    readonly first_byte_ms: number | null;
    readonly duration_ms: number;
    readonly endpoint_id: string;
    readonly credential: string;
    readonly error?: string;
  }[];
  readonly duration_ms: number | null;
  readonly cost: {
    readonly customer_nanos: number;
    readonly state: string;
    readonly lines: readonly { kind: string; tokens: number; price: string; amount: string }[] | null;
    readonly rounding: string | null;
    readonly beyond_hold_nanos: number | null;
    readonly held_nanos: number;
    readonly transaction_id: string | null;
  };
}

/** A decimal of nano-dollars with up to six places, as an integer of millionths. */
function millionths(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(6, '0'));
}

/** Expects the lines, exactly added up and rounded up once, to be what was charged. */
function expectExplained({ cost }: ShownCall): void {
  const exact = cost.lines!.reduce((sum, { amount }) => sum + millionths(amount), 0n);
  for (const { tokens, price, amount } of cost.lines!)
    expect(millionths(price) * BigInt(tokens)).toBe(millionths(amount));
  expect((exact + 999_999n) / 1_000_000n).toBe(BigInt(cost.customer_nanos + cost.beyond_hold_nanos!));
  expect(exact + millionths(cost.rounding!)).toBe(
    BigInt(cost.customer_nanos + cost.beyond_hold_nanos!) * 1_000_000n,
  );
}

/** The chat route of `estimated` has an endpoint that reports no usage. */
function catalogFor(url: string, nowhere: string): CatalogDocument {
  const region = 'explained';
  const catalog = withEmbeddings(catalogOf({ name: 'first', url, region }, { name: 'second', url, region }));
  const [endpoint] = catalog.endpoints;
  const more = (id: string, provider = endpoint!.provider) => ({ ...endpoint!, model: id, provider });
  const ids = ['test/estimated', 'test/nowhere'];
  return {
    providers: [...catalog.providers, { name: 'nowhere', protocol: 'openai', base_url: `${nowhere}/v1` }],
    models: [...catalog.models, ...ids.map((id) => ({ ...catalog.models[0]!, id }))],
    endpoints: [
      ...catalog.endpoints,
      { ...more('test/estimated'), usage: 'estimated' },
      more('test/nowhere', 'nowhere'),
    ],
  };
}

describe('a call, explained', () => {
  let svc: SharedSvc;

  beforeAll(async () => {
    const nowhere = `http://127.0.0.1:${String(await freePort())}`;
    svc = await sharedSvc({ catalog: (url) => catalogFor(url, nowhere) });
  });

  const get = async <T>(path: string): Promise<T> => {
    const response = await fetch(`${svc.baseUrl}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${svc.apiKey}` },
    });
    expect(response.status).toBe(200);
    return (await response.json()) as T;
  };
  const shown = (id: string | null) => get<ShownCall>(`requests/${String(id)}`);
  const called = async (route: string, body: object, headers: Record<string, string> = {}) => {
    const response = await post(svc, route, body, { headers });
    const text = await response.text();
    return { response, text, call: await shown(response.headers.get('x-request-id')) };
  };
  const chat = (directive: Record<string, unknown>, more: object = {}) => ({
    model: testModel,
    max_tokens: 100,
    messages: [directed(directive, 'Hello')],
    ...more,
  });
  const routes: [string, string, object, readonly string[]][] = [
    ['a chat completion', CHAT, chat({}), ['input', 'output']],
    ['a message', '/v1/messages', chat({}), ['input', 'output']],
    [
      'a response',
      '/v1/responses',
      { model: testModel, input: directedText({}, 'Hello') },
      ['input', 'output'],
    ],
    ['embeddings', '/v1/embeddings', { model: embeddingModel, input: 'Hello' }, ['input']],
    ['a stream', CHAT, chat({}, { stream: true }), ['input', 'output']],
    ['a stream of a message', '/v1/messages', chat({}, { stream: true }), ['input', 'output']],
  ];

  it.each(routes)('%s has the lines of its charge, and links it', async (_, route, body, kinds) => {
    const { call } = await called(route, body, { 'Svc-Session-Id': 'night-42' });
    expect(call).toMatchObject({
      status: 'succeeded',
      session_id: 'night-42',
      policy_version: 0,
      error: null,
      attempts: [{ status: 200, credential: 'none' }],
    });
    expect(call.cost.lines!.map(({ kind }) => kind)).toEqual(kinds);
    expectExplained(call);
    expect(call.cost.customer_nanos).toBeGreaterThan(0);
    expect(call.cost.held_nanos).toBeGreaterThan(call.cost.customer_nanos);
    const transaction = await get<object>(`wallet/transactions/${String(call.cost.transaction_id)}`);
    expect(transaction).toMatchObject({ request_id: call.id, amount_nanos: -call.cost.customer_nanos });
    expect(await get(`requests?session_id=night-42&limit=1`)).toMatchObject({ data: [{ id: call.id }] });
  });

  it('has each attempt of a fallback, one after the other, and is charged at the second', async () => {
    const { call } = await called(CHAT, chat({ only_model: 'first-model', status: 500 }));
    expect(call.attempts).toMatchObject([
      { provider: 'first-chat', status: 500, error: 'provider_error', credential: 'none' },
      { provider: 'second-chat', status: 200, credential: 'none' },
    ]);
    const [first, second] = call.attempts;
    expect(first!.endpoint_id).not.toBe(second!.endpoint_id);
    expect(second!.started_ms).toBeGreaterThanOrEqual(first!.started_ms + first!.duration_ms);
    expect(second!.first_byte_ms).toBeLessThanOrEqual(second!.duration_ms);
    expect(call.cost.lines!.find(({ kind }) => kind === 'output')).toMatchObject({ price: '601.5' });
    expectExplained(call);
    expect(await get(`requests?attempts_min=2&limit=1`)).toMatchObject({ data: [{ id: call.id }] });
  });

  it.each([
    ['that a provider refused', chat({ status: 400, error_message: 'The tokens are too many.' })],
    ['that no provider could be reached for', chat({}, { model: 'test/nowhere' })],
  ])('%s has the error as its caller got it, and no lines', async (_, body) => {
    const { call, text } = await called(CHAT, body);
    expect(call.error).toEqual((JSON.parse(text) as ErrorBody).error);
    expect(call).toMatchObject({
      status: 'failed',
      cost: { customer_nanos: 0, lines: [], rounding: '0', beyond_hold_nanos: 0, transaction_id: null },
    });
  });

  it('of a stream that broke off has the error of its last frame, and the lines of what was seen', async () => {
    const { call, text } = await called(CHAT, chat({ reply_words: 50, cut_after: 20 }, { stream: true }));
    const last = text.trim().split('\n\n').at(-1)!.slice('data: '.length);
    expect(call.status).toBe('failed');
    expect(call.error).toEqual((JSON.parse(last) as ErrorBody).error);
    expect(call.cost.state).toBe('provisional');
    expectExplained(call);
  });

  it('that its caller left has the lines of what was seen', async () => {
    const leave = new AbortController();
    const response = await post(svc, CHAT, chat({ reply_words: 90, chunk_delay_ms: 50 }, { stream: true }), {
      signal: leave.signal,
    });
    const reader = response.body!.getReader();
    for (let chunks = 0; chunks < 5; chunks++) await reader.read();
    const id = response.headers.get('x-request-id');
    expect(await shown(id)).toMatchObject({
      status: 'pending',
      policy_version: 0,
      cost: { customer_nanos: 0, state: 'provisional', lines: null, rounding: null, transaction_id: null },
    });
    leave.abort();
    const call = await eventually(async () => {
      const now = await shown(id);
      expect(now.status).toBe('cancelled');
      return now;
    });
    expect(call.error).toBeNull();
    expect(call.cost.customer_nanos).toBeGreaterThan(0);
    expectExplained(call);
  });

  it('that is replayed is the one that was charged', async () => {
    const key = { 'Idempotency-Key': 'explained-once' };
    const { call } = await called(CHAT, chat({}), key);
    const again = await called(CHAT, chat({}), key);
    expect(again.response.headers.get('idempotency-replayed')).toBe('true');
    expect(again.call).toEqual(call);
  });

  it('of a provider that reports no usage has the lines of the count', async () => {
    const { call } = await called(CHAT, chat({ no_usage: true }, { model: 'test/estimated' }));
    expect(call).toMatchObject({ status: 'succeeded', cost: { state: 'final' } });
    expect(call.cost.customer_nanos).toBeGreaterThan(0);
    expectExplained(call);
  });

  it('has the warnings of its answer', async () => {
    const body = { model: testModel, input: directedText({}, 'Hello'), store: false, truncation: 'auto' };
    const { call, text } = await called('/v1/responses', body);
    expect(call.warnings).toEqual((JSON.parse(text) as { warnings?: unknown }).warnings ?? []);
    expect(call.warnings).not.toEqual([]);
  });

  it('keeps the version of the policy, and no message where it retains nothing', async () => {
    const put = (document: object) =>
      fetch(`${svc.baseUrl}/api/v1/policy`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${svc.apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(document),
      });
    expect((await put({ retention: 'none' })).status).toBe(200);
    const failing = chat({ status: 400, error_message: 'Not this: Hello' });
    const call = await eventually(async () => {
      const made = await called(CHAT, failing);
      expect(made.call.policy_version).toBe(1);
      return made.call;
    }, POLICY_WITHIN_MS);
    expect(call.error).toMatchObject({ code: 'provider_http_400', message: null });
  });
});
