import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { ScriptedUpstream, type ScriptedAnswer } from '@svc/testing';
import { shippedCatalog, type CatalogDocument } from './harness/catalog-file';
import { anthropicClient, post, svcOf, type ErrorBody } from './harness/clients';
import { billedOfMessage, expectedCharge } from './harness/expected-charge';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const LONG_CONTEXT = 'context-1m-2025-08-07';
const PRICES = { input: 150, output: 600.5 };
const LONG_PRICES = { input: 300, output: 900.5 };
const FAST_PRICES = { input: 1_000, output: 5_000 };

const hello = [{ role: 'user' as const, content: 'Hello' }];
const usage = { input_tokens: 5, output_tokens: 2 };
const answersJson =
  (body: object): ScriptedAnswer =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const answersMessage = answersJson({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'Hi' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage,
});
const answersCompletion = answersJson({
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
});

/** The shipped catalog, and more. */
function catalogAt(url: string): CatalogDocument {
  const shipped = shippedCatalog();
  const provider = (name: string, protocol: 'openai' | 'anthropic', more: object = {}) => ({
    name,
    protocol,
    base_url: `${url}/v1`,
    ...more,
  });
  const endpoint = (model: string, at: string, more: object = {}): CatalogDocument['endpoints'][number] => ({
    model: `test/${model}`,
    provider: at,
    upstream_model: model,
    region: 'local',
    data_retention: 'zero',
    prices: PRICES,
    ...more,
  });
  const betas = {
    [LONG_CONTEXT]: { prices: { ...PRICES, long_prompt: { above: 100, ...LONG_PRICES } } },
    'fast-mode-2026-02-01': { prices: FAST_PRICES },
  };
  const fixed = { headers: { 'anthropic-version': '2024-01-01', 'anthropic-beta': 'fixed-1' } };
  return {
    ...shipped,
    providers: [
      ...shipped.providers,
      provider('claude', 'anthropic'),
      provider('claude-fixed', 'anthropic', fixed),
      provider('other', 'openai'),
    ],
    models: [
      ...shipped.models,
      ...['native', 'fixed', 'translated', 'falling-back', 'priced', 'unpriced'].map((name) => ({
        id: `test/${name}`,
        display_name: name,
        context_window: 200_000,
        max_output_tokens: 8192,
      })),
    ],
    endpoints: [
      ...shipped.endpoints,
      endpoint('native', 'claude'),
      endpoint('fixed', 'claude-fixed'),
      endpoint('translated', 'other'),
      endpoint('falling-back', 'claude'),
      endpoint('falling-back', 'other'),
      endpoint('priced', 'simulator-anthropic', { betas }),
      endpoint('unpriced', 'simulator-anthropic'),
    ],
  };
}

let upstream: ScriptedUpstream;
let svc: SharedSvc;
beforeAll(async () => {
  upstream = await ScriptedUpstream.start();
  svc = await sharedSvc({ catalog: () => catalogAt(upstream.url) });
});
afterAll(() => upstream.close());

interface Answered {
  readonly warnings?: readonly { readonly param: string; readonly code: string }[];
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
}
const call = (model: string, headers: Record<string, string>, more: object = {}) =>
  post(
    svc,
    '/v1/messages',
    { model: `test/${model}`, max_tokens: 50, messages: hello, ...more },
    { headers },
  );
const warned = async (response: Response) =>
  ((await response.json()) as Answered).warnings?.map(({ param, code }) => `${param}: ${code}`) ?? [];
const refusal = async (response: Response) => {
  const { error } = (await response.json()) as ErrorBody;
  return { status: response.status, code: error.code, param: error.param };
};
const lastHeaders = () => upstream.received.at(-1)!.headers;

describe('a beta of Anthropic’s client', () => {
  const fields = { context_management: { edits: [{ type: 'clear_tool_uses_20250919' as const }] } };
  const betas = ['context-management-2025-06-27'];
  const asked = { model: 'simulator/echo', messages: hello };

  it('reaches the provider with its field, plain, streamed and counted', async () => {
    const { messages } = anthropicClient(svc).beta;
    const answer = await messages.create({ ...asked, max_tokens: 50, ...fields, betas });
    expect(answer.stop_reason).toBe('end_turn');
    expect(answer).not.toHaveProperty('warnings');
    const streamed = messages.stream({ ...asked, max_tokens: 50, ...fields, betas });
    expect((await streamed.finalMessage()).stop_reason).toBe('end_turn');
    expect((await messages.countTokens({ ...asked, ...fields, betas })).input_tokens).toBeGreaterThan(0);
  });

  it('is needed for its field: the provider’s own refusal is the answer', async () => {
    const refused = anthropicClient(svc).beta.messages.create({ ...asked, max_tokens: 50, ...fields });
    await expect(refused).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('context_management: Extra inputs are not permitted') as string,
    });
  });
});

describe('Anthropic’s headers of a call', () => {
  it('are sent as given, however the list is written', async () => {
    upstream.next(answersMessage);
    const [status] = await new Promise<[number | undefined, string]>((resolve, reject) => {
      const outgoing = request(`${svc.baseUrl}/v1/messages`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${svc.apiKey}`,
          'content-type': 'application/json',
          'anthropic-version': '2099-01-01',
          'anthropic-beta': ['one-2026-01-01 , two-2026-01-01', '', 'one-2026-01-01,three'],
        },
      });
      outgoing.on('error', reject).on('response', (incoming) => {
        text(incoming).then((body) => {
          resolve([incoming.statusCode, body]);
        }, reject);
      });
      outgoing.end(JSON.stringify({ model: 'test/native', max_tokens: 5, messages: hello }));
    });
    expect(status).toBe(200);
    expect(lastHeaders()).toMatchObject({
      'anthropic-version': '2099-01-01',
      'anthropic-beta': 'one-2026-01-01,two-2026-01-01,three',
    });
  });

  it('are sent when counting too', async () => {
    upstream.next(answersJson({ input_tokens: 77 }));
    const headers = { 'anthropic-version': '2099-01-01', 'anthropic-beta': 'one' };
    const body = { model: 'test/native', messages: hello };
    const counted = await post(svc, '/v1/messages/count_tokens', body, { headers });
    expect(await counted.json()).toEqual({ input_tokens: 77 });
    expect(upstream.received.at(-1)).toMatchObject({ path: '/v1/messages/count_tokens', headers });
  });

  it('that are not given leave the default version and no beta', async () => {
    upstream.next(answersMessage);
    await call('native', {});
    expect(lastHeaders()).toMatchObject({ 'anthropic-version': '2023-06-01' });
    expect(lastHeaders()['anthropic-beta']).toBeUndefined();
  });

  it('yield to the version that the catalog sets, and add to its betas', async () => {
    upstream.next(answersMessage);
    await call('fixed', { 'anthropic-version': '2099-01-01', 'anthropic-beta': 'one,fixed-1' });
    expect(lastHeaders()).toMatchObject({
      'anthropic-version': '2024-01-01',
      'anthropic-beta': 'fixed-1,one',
    });
  });

  it.each([
    ['anthropic-beta', Array.from({ length: 33 }, (_, at) => `b${String(at)}`).join(',')],
    ['anthropic-beta', 'x'.repeat(101)],
    ['anthropic-beta', 'two words'],
    ['anthropic-version', 'x'.repeat(65)],
    ['anthropic-version', 'two words'],
  ])('are 400 outside their bounds: %s %j', async (name, value) => {
    const refused = { status: 400, code: 'invalid_request', param: name };
    expect(await refusal(await call('native', { [name]: value }))).toEqual(refused);
    const body = { model: 'test/native', messages: hello };
    const init = { headers: { [name]: value } };
    expect(await refusal(await post(svc, '/v1/messages/count_tokens', body, init))).toEqual(refused);
    expect(await refusal(await post(svc, '/v1/chat/completions', body, init))).toEqual(refused);
  });
});

describe('where the provider does not speak messages', () => {
  it('a beta and an unknown version are warnings, and versions of the official clients are none', async () => {
    const beta = 'anthropic-beta: unsupported_parameter';
    for (const [headers, warnings] of [
      [{ 'anthropic-beta': 'one' }, [beta]],
      [{ 'anthropic-beta': 'one', 'anthropic-version': '2026-10-21' }, [beta]],
      [{ 'anthropic-version': '2023-06-01' }, []],
      [{ 'anthropic-version': '2099-01-01' }, ['anthropic-version: unsupported_parameter']],
    ] as const) {
      upstream.next(answersCompletion);
      expect(await warned(await call('translated', headers))).toEqual(warnings);
      expect(lastHeaders()['anthropic-beta']).toBeUndefined();
      expect(lastHeaders()['anthropic-version']).toBeUndefined();
    }
  });

  it('a call that falls back to it is warned, and the provider before it got the beta', async () => {
    upstream.next((_, response) => void response.writeHead(500).end());
    upstream.next(answersCompletion);
    const response = await call('falling-back', { 'anthropic-beta': 'one' });
    expect(await warned(response)).toEqual(['anthropic-beta: unsupported_parameter']);
    const [native, other] = upstream.received.slice(-2);
    expect([native!.path, native!.headers['anthropic-beta']]).toEqual(['/v1/messages', 'one']);
    expect([other!.path, other!.headers['anthropic-beta']]).toEqual(['/v1/chat/completions', undefined]);
  });

  it('a strict call with a beta is 422, and one of the official client without a beta is answered', async () => {
    const strict = { compat_mode: 'strict' };
    expect(await refusal(await call('translated', { 'anthropic-beta': 'one' }, strict))).toEqual({
      status: 422,
      code: 'capability_unsupported',
      param: 'anthropic-beta',
    });
    upstream.next(answersCompletion);
    const asked = { model: 'test/translated', max_tokens: 50, messages: hello, ...strict };
    expect(await anthropicClient(svc).messages.create(asked)).toMatchObject({ stop_reason: 'end_turn' });
  });

  it('a chat call is warned of a beta, at a provider of either protocol', async () => {
    for (const [model, answers] of [
      ['translated', answersCompletion],
      ['native', answersMessage],
    ] as const) {
      upstream.next(answers);
      const body = { model: `test/${model}`, messages: hello };
      const init = { headers: { 'anthropic-beta': 'one' } };
      const response = await post(svc, '/v1/chat/completions', body, init);
      expect(await warned(response)).toEqual(['anthropic-beta: unsupported_parameter']);
      expect(lastHeaders()['anthropic-beta']).toBeUndefined();
    }
  });
});

describe('a retry with the same idempotency key', () => {
  it('is replayed when its betas are the same, and refused when they are others', async () => {
    const keyed = (betas: string) =>
      call('unpriced', { 'idempotency-key': 'betas-1', 'anthropic-beta': betas });
    const first = await keyed('one,two');
    expect(first.status).toBe(200);
    const again = await keyed(' two, one,,one');
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await again.text()).toBe(await first.text());
    for (const others of ['one', 'one,two,three', '']) {
      expect(await refusal(await keyed(others))).toMatchObject({
        status: 409,
        code: 'idempotency_key_reused',
      });
    }
  });

  it('is refused when its version is another', async () => {
    const keyed = (version: string) =>
      call('unpriced', { 'idempotency-key': 'version-1', 'anthropic-version': version });
    expect((await keyed('2026-10-21')).status).toBe(200);
    expect((await keyed('2026-10-21')).headers.get('idempotency-replayed')).toBe('true');
    expect(await refusal(await keyed('2023-06-01'))).toMatchObject({ code: 'idempotency_key_reused' });
  });
});

describe('a beta that changes the price', () => {
  const charged = async (response: Response) => {
    const answer = (await response.json()) as Answered;
    return { cost: svcOf(answer).cost.customer_nanos, tokens: billedOfMessage(answer.usage) };
  };
  const beta = { 'anthropic-beta': LONG_CONTEXT };
  const long = { messages: [{ role: 'user', content: 'word '.repeat(400) }] };

  it('is charged at its own price', async () => {
    const withBeta = await charged(await call('priced', beta, long));
    expect(withBeta.tokens.input).toBeGreaterThan(100);
    expect(withBeta.cost).toBe(Number(expectedCharge(withBeta.tokens, LONG_PRICES)));
    const short = await charged(await call('priced', beta));
    expect(short.cost).toBe(Number(expectedCharge(short.tokens, PRICES)));
    const without = await charged(await call('priced', {}, long));
    expect(without.cost).toBe(Number(expectedCharge(without.tokens, PRICES)));
  });

  it('of the fast mode is charged where the body asks for that mode', async () => {
    const headers = { 'anthropic-beta': 'fast-mode-2026-02-01' };
    const fast = await charged(await call('priced', headers, { speed: 'fast' }));
    expect(fast.cost).toBe(Number(expectedCharge(fast.tokens, FAST_PRICES)));
    const standard = await charged(await call('priced', headers));
    expect(standard.cost).toBe(Number(expectedCharge(standard.tokens, PRICES)));
  });

  it('is 422 where the catalog has no price for it', async () => {
    const refused = { status: 422, code: 'capability_unsupported' };
    for (const [name, fields] of [
      [LONG_CONTEXT, {}],
      ['fast-mode-2026-02-01', { speed: 'fast' }],
      [
        'advisor-tool-2026-03-01',
        { tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'claude-x' }] },
      ],
    ] as const) {
      expect(await refusal(await call('unpriced', { 'anthropic-beta': `one,${name}` }, fields))).toEqual({
        ...refused,
        param: 'anthropic-beta',
      });
    }
    expect(await refusal(await call('unpriced', {}, { speed: 'fast' }))).toEqual({
      ...refused,
      param: 'speed',
    });
    // Clients name these in every call, whether its body uses them or not.
    const named = { 'anthropic-beta': 'fast-mode-2026-02-01,advisor-tool-2026-03-01' };
    expect((await call('unpriced', named)).status).toBe(200);
    // Counting costs nothing.
    const body = { model: 'test/unpriced', messages: hello };
    expect((await post(svc, '/v1/messages/count_tokens', body, { headers: beta })).status).toBe(200);
  });
});
