import { eventually } from '@svc/testing';
import type OpenAI from 'openai';
import {
  type ResponseCreateParamsNonStreaming,
  type ResponseInput,
} from 'openai/resources/responses/responses';
import { testPrices, type CatalogDocument } from './harness/catalog-file';
import { openAiClient, post, svcOf, type ErrorBody } from './harness/clients';
import { expectedCharge } from './harness/expected-charge';
import { openLedgerAudit, type LedgerAudit } from './harness/ledger-audit';
import { framesOf } from './harness/stream-frames';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const ROUTE = '/v1/responses';
/** How the upstream of each model is asked. */
const KINDS = ['native', 'chat', 'messages'] as const;
type Kind = (typeof KINDS)[number];
const upstreamPaths: Readonly<Record<Kind, string>> = {
  native: '/v1/responses',
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
};
const modelOf = (kind: string): string => `test/${kind}`;
const FAILURES = ['cut_after', 'end_after', 'error_after'] as const;
/** Each with an endpoint of its own, so that no failure opens a circuit for another call. */
const failingModel = (kind: Kind, failure: string): string => modelOf(`${kind}-${failure}`);

const weather = {
  type: 'function' as const,
  name: 'get_weather',
  description: 'The weather of a city',
  strict: false,
  parameters: {
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
};
const directed = (directive: Record<string, unknown>, text = 'Hello'): string =>
  `${text}\n@simulator ${JSON.stringify(directive)}`;

function catalogFor(url: string): CatalogDocument {
  const endpoint = (kind: Kind, model = modelOf(kind), order = 0) => ({
    model,
    provider: kind,
    // A name of a model that reasons.
    upstream_model: `gpt-6-${kind}`,
    region: kind,
    data_retention: 'zero' as const,
    operations: kind === 'native' ? (['responses'] as const) : (['chat_completions', 'messages'] as const),
    prices: { ...testPrices, output: testPrices.output + order },
  });
  const failing = FAILURES.flatMap((failure) =>
    KINDS.map((kind) => [kind, failingModel(kind, failure)] as const),
  );
  const ids = [...[...KINDS, 'fallback', 'searching'].map(modelOf), ...failing.map(([, id]) => id)];
  return {
    providers: KINDS.map((kind) => ({
      name: kind,
      protocol: kind === 'messages' ? ('anthropic' as const) : ('openai' as const),
      base_url: `${url}/v1`,
    })),
    models: ids.map((id) => ({ id, display_name: id, context_window: 200_000, max_output_tokens: 8192 })),
    endpoints: [
      ...KINDS.map((kind) => endpoint(kind)),
      ...KINDS.map((kind, order) => endpoint(kind, modelOf('fallback'), order)),
      { ...endpoint('native', modelOf('searching')), built_in_tools: ['mcp'] },
      ...failing.map(([kind, id]) => endpoint(kind, id)),
    ],
  };
}

interface WarnedAnswer extends OpenAI.Responses.Response {
  readonly store?: boolean;
  readonly warnings?: readonly { readonly param: string; readonly code: string }[];
}

describe('the responses route', () => {
  let svc: SharedSvc;
  let audit: LedgerAudit;
  let client: OpenAI;

  beforeAll(async () => {
    svc = await sharedSvc({ catalog: catalogFor });
    audit = await openLedgerAudit(svc);
    await audit.raiseKeyLimits();
    client = openAiClient(svc);
  });
  beforeEach(() => svc.simulator.clearJournal());
  afterAll(() => audit.close());

  const ask = (
    kind: string,
    more: Partial<ResponseCreateParamsNonStreaming> = {},
  ): ResponseCreateParamsNonStreaming => ({
    model: modelOf(kind),
    input: 'Where does the Rhine end?',
    max_output_tokens: 200,
    ...more,
  });
  const created = async (body: ResponseCreateParamsNonStreaming): Promise<WarnedAnswer> =>
    client.responses.create(body);
  const send = (body: object, init: Parameters<typeof post>[3] = {}) => post(svc, ROUTE, body, init);
  const refusalOf = async (body: object): Promise<[number, ErrorBody['error']]> => {
    const answer = await send(body);
    return [answer.status, ((await answer.json()) as ErrorBody).error];
  };
  const lastRecord = async () => (await audit.calls()).at(-1)!;
  const nothingIsHeld = () =>
    eventually(async () => {
      expect((await audit.books()).heldNanos).toBe(0n);
    });

  describe.each(KINDS)('at an upstream that is asked in %s', (kind) => {
    it('answers with the model that was asked, the usage and its exact cost', async () => {
      const answer = await created(ask(kind));
      expect(answer).toMatchObject({ object: 'response', model: modelOf(kind), status: 'completed' });
      expect(answer.output_text).toContain('Where does the Rhine end?');
      expect(answer.store).toBe(false);
      const { input_tokens: input, output_tokens: output } = answer.usage!;
      const billed = { input, cachedInput: 0, cacheWrite: 0, output };
      expect(svcOf(answer).cost).toEqual({
        customer_nanos: Number(expectedCharge(billed, testPrices)),
        state: 'final',
      });
      expect(await svc.simulator.journal()).toMatchObject([{ path: upstreamPaths[kind] }]);
      expect(await lastRecord()).toMatchObject({ status: 'succeeded' });
    });

    it('streams every event in order, and the cost on the last', async () => {
      const response = await send({ ...ask(kind), stream: true });
      const text = await response.text();
      const frames = framesOf(text);
      expect(frames.map(({ sequence_number: number }) => number)).toEqual(frames.map((_, index) => index));
      const last = frames.at(-1) as { type: string; response: WarnedAnswer };
      expect(last).toMatchObject({ type: 'response.completed', response: { model: modelOf(kind) } });
      expect(svcOf(last.response).cost.state).toBe('final');
      const deltas = frames.filter(({ type }) => type === 'response.output_text.delta');
      const [message] = last.response.output.filter(({ type }) => type === 'message');
      expect(message).toMatchObject({ content: [{ text: deltas.map(({ delta }) => delta).join('') }] });
    });

    it('carries a loop of parallel tool calls, with the output items sent back as they came', async () => {
      const question = 'Weather in Oslo and Rome?';
      const calls = ['Oslo', 'Rome'].map((city) => ({ name: 'get_weather', arguments: { city } }));
      const input: ResponseInput = [{ role: 'user', content: directed({ tool_calls: calls }, question) }];
      const first = await created(ask(kind, { input, tools: [weather], reasoning: { effort: 'low' } }));
      const called = first.output.filter((item) => item.type === 'function_call');
      expect(called.map(({ arguments: json }) => JSON.parse(json) as unknown)).toEqual([
        { city: 'Oslo' },
        { city: 'Rome' },
      ]);
      expect(new Set(called.map(({ call_id: id }) => id)).size).toBe(2);
      const outputs = called.map(({ call_id: id }, index) => ({
        type: 'function_call_output' as const,
        call_id: id,
        output: `${String(20 + index)} degrees`,
      }));
      const second = await created(
        ask(kind, {
          input: [...input, ...(first.output as ResponseInput), ...outputs],
          tools: [weather],
          reasoning: { effort: 'low' },
        }),
      );
      expect(second.warnings ?? []).toEqual([]);
      expect(second.output_text).toMatch(/20 degrees[^]*21 degrees/);
    });

    it('answers in a schema', async () => {
      const answer = await client.responses.parse({
        ...ask(kind),
        text: {
          format: {
            type: 'json_schema',
            name: 'city',
            strict: true,
            schema: weather.parameters,
          },
        },
      });
      expect(JSON.parse(answer.output_text)).toEqual({ city: expect.any(String) as unknown });
    });

    it.each([false, true])('replays an answer by its idempotency key (stream: %s)', async (stream) => {
      const init = { headers: { 'idempotency-key': crypto.randomUUID() } };
      const body = { ...ask(kind), stream };
      const first = await send(body, init);
      const original = await first.text();
      const second = await send(body, init);
      expect(second.headers.get('idempotency-replayed')).toBe('true');
      const replayed = await second.text();
      expect(finalOf(replayed, stream)).toEqual(finalOf(original, stream));
      expect(await svc.simulator.journal()).toHaveLength(1);
    });

    it('keeps no response: a warning for `store`, and 422 in strict mode', async () => {
      const answer = await created(ask(kind, { store: true }));
      expect(answer.warnings).toMatchObject([{ param: 'store', code: 'unsupported_parameter' }]);
      expect(answer.store).toBe(false);
      const [status, error] = await refusalOf({ ...ask(kind, { store: true }), compat_mode: 'strict' });
      expect([status, error.code, error.param]).toEqual([422, 'capability_unsupported', 'store']);
    });

    it('leaves out a built-in tool with a warning, or refuses it in strict mode', async () => {
      const body = ask(kind, { tools: [{ type: 'web_search' }, weather], tool_choice: 'auto' });
      expect((await created(body)).warnings).toMatchObject([{ param: 'tools[0]' }]);
      const [status, error] = await refusalOf({ ...body, compat_mode: 'strict' });
      expect([status, error.code, error.param]).toEqual([422, 'capability_unsupported', 'tools[0]']);
    });

    it('stops the upstream of a stream whose caller leaves, and charges what was seen', async () => {
      const leaving = new AbortController();
      const slow = directed({ reply_words: 500, chunk_delay_ms: 50 });
      const response = await send(
        { ...ask(kind, { input: slow, max_output_tokens: 2000 }), stream: true },
        { signal: leaving.signal },
      );
      const reader = response.body!.getReader();
      for (let chunks = 0; chunks < 10; chunks++) await reader.read();
      leaving.abort();
      await reader.closed.catch(() => undefined);
      await eventually(async () => {
        expect(await svc.simulator.journal()).toMatchObject([{ outcome: 'interrupted' }]);
      });
      await nothingIsHeld();
      const record = await lastRecord();
      expect(record).toMatchObject({ status: 'cancelled', costState: 'provisional' });
      expect(record.billed.output).toBeGreaterThan(0);
      expect(record.customerNanos).toBe(expectedCharge(record.billed, testPrices));
    });

    it.each(FAILURES)(
      'ends a stream that fails after it began with an error, never cleanly: %s',
      async (failure) => {
        const model = failingModel(kind, failure);
        const input = directed({ reply_words: 40, [failure]: 9 });
        const body = ask(kind, { model, input });
        const text = await (await send({ ...body, stream: true })).text();
        expect(text).toContain('response.output_text.delta');
        expect(text).not.toMatch(/event: response\.(completed|incomplete)/);
        const reading = client.responses.stream({ ...body, stream: true }).finalResponse();
        await expect(reading).rejects.toThrow();
        await nothingIsHeld();
      },
    );
  });

  it.each([
    [
      'previous_response_id',
      { previous_response_id: 'resp_1' },
      'previous_response_id',
      'keeps no responses',
    ],
    ['conversation', { conversation: 'conv_1' }, 'conversation', 'keeps no responses'],
    ['prompt', { prompt: { id: 'pmpt_1' }, input: undefined }, 'prompt', 'cannot look up a stored prompt'],
    ['background', { background: true }, 'background', 'cannot answer in the background'],
    [
      'an item reference',
      { input: [{ type: 'item_reference', id: 'msg_1' }] },
      'input[0]',
      'keeps no responses',
    ],
  ])('refuses %s, which would need something kept, and says why', async (_, more, param, why) => {
    for (const compat_mode of ['permissive', 'strict']) {
      const [status, error] = await refusalOf({ ...ask('native'), ...more, compat_mode });
      expect([status, error.code, error.param]).toEqual([400, 'unsupported_parameter', param]);
      expect(error.message).toContain(why);
    }
    expect(await svc.simulator.journal()).toEqual([]);
  });

  it('says so to whoever asks for a response later', async () => {
    for (const [method, path] of [
      ['GET', '/resp_1'],
      ['DELETE', '/resp_1'],
      ['POST', '/resp_1/cancel'],
      ['GET', '/resp_1/input_items'],
    ] as const) {
      const answer = await fetch(`${svc.baseUrl}${ROUTE}${path}`, {
        method,
        headers: { authorization: `Bearer ${svc.apiKey}` },
      });
      const { error } = (await answer.json()) as ErrorBody;
      expect([answer.status, error.code]).toEqual([404, 'not_found']);
      expect(error.message).toContain('keeps no responses');
    }
  });

  it('sends a built-in tool to the endpoint that lists it', async () => {
    const mcp = { type: 'mcp' as const, server_label: 'docs', server_url: 'https://example.com/mcp' };
    const listed = await send(ask('searching', { tools: [mcp] }));
    expect(((await listed.json()) as WarnedAnswer).warnings).toBeUndefined();
  });

  it('goes on to the next upstream before the first byte, whatever it speaks', async () => {
    for (const stream of [false, true]) {
      // Each begins a conversation: none returns to where an earlier one was answered.
      const input = directed({ only_model: 'gpt-6-native', status: 500 }, `Hello ${String(stream)}`);
      const response = await send({ ...ask('fallback', { input }), stream });
      const { attempts } = svcOf(finalOf(await response.text(), stream));
      expect(attempts.map(({ region }) => region)).toEqual(['native', 'chat']);
    }
  });

  it('shares one wallet among calls at once without overspending it', async () => {
    const before = await audit.books();
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        send({ ...ask(KINDS[index % 3]!), stream: index % 2 === 0 }).then(async (response) =>
          svcOf(finalOf(await response.text(), index % 2 === 0)),
        ),
      ),
    );
    const spent = answers.reduce((sum, { cost }) => sum + BigInt(cost.customer_nanos), 0n);
    await nothingIsHeld();
    const after = await audit.books();
    expect(after.chargedNanos - before.chargedNanos).toBe(spent);
    expect(before.balanceNanos - after.balanceNanos).toBe(spent);
  });
});

/** The response of a plain answer, or of the last event of a stream. */
function finalOf(text: string, isStream: boolean): Record<string, unknown> {
  if (!isStream) return JSON.parse(text) as Record<string, unknown>;
  return framesOf(text).at(-1)?.['response'] as Record<string, unknown>;
}
