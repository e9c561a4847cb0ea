import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { eventually, ScriptedUpstream } from '@svc/testing';
import { testPrices, type CatalogDocument } from './harness/catalog-file';
import { anthropicClient, openAiClient, post, svcOf } from './harness/clients';
import { expectedCharge } from './harness/expected-charge';
import { openLedgerAudit, type LedgerAudit } from './harness/ledger-audit';
import { framesOf } from './harness/stream-frames';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const PROMPT = 'Where is it warm in winter, and what does the journey cost?';
const THINKING = 'They ask for warmth; the south of Spain comes to mind.';
const TEXT = 'Málaga is mild in January. 你好!';
const ARGUMENTS = '{"city":"Málaga","days":7}';
const CONTEXT_WINDOW = 200_000;

/** As the service counts a prompt of one message (docs/reference/inference-and-compatibility.md#counting-tokens). */
const promptTokens = (text: string): number => countTokens(text) + 4 + 3;
const REASONING_TOKENS = countTokens(THINKING);
const OUTPUT_TOKENS = REASONING_TOKENS + countTokens(TEXT) + countTokens(ARGUMENTS);
const charge = (input: number, output: number): number =>
  Number(expectedCharge({ input, output, cachedInput: 0, cacheWrite: 0 }, testPrices));

type Protocol = 'openai' | 'anthropic';
const usages = ['estimated', 'reported'] as const;
const protocols = ['openai', 'anthropic'] as const;
const modelOf = (usage: (typeof usages)[number], protocol: Protocol) => `test/${usage}-${protocol}`;

/** Every model has one endpoint, so that half of all calls are translated. */
function catalogAt(url: string): CatalogDocument {
  const models = usages.flatMap((usage) => protocols.map((protocol) => ({ usage, protocol })));
  return {
    providers: protocols.map((protocol) => ({ name: protocol, protocol, base_url: `${url}/v1` })),
    models: models.map(({ usage, protocol }) => ({
      id: modelOf(usage, protocol),
      display_name: 'Silent',
      context_window: CONTEXT_WINDOW,
      max_output_tokens: 8192,
    })),
    endpoints: models.map(({ usage, protocol }) => ({
      model: modelOf(usage, protocol),
      provider: protocol,
      upstream_model: 'silent-1',
      region: 'local',
      data_retention: 'zero',
      usage,
      prices: testPrices,
    })),
  };
}

const data = (value: unknown, event = ''): string =>
  `${event === '' ? '' : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;
const halves = (text: string): [string, string] => [text.slice(0, 9), text.slice(9)];
const toolCall = { id: 'call_1', type: 'function' };

const answers: Record<Protocol, { plain: object; stream: string[] }> = {
  openai: {
    plain: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'silent-1',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            reasoning_content: THINKING,
            content: TEXT,
            tool_calls: [{ ...toolCall, function: { name: 'book', arguments: ARGUMENTS } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
    },
    stream: [
      { role: 'assistant', content: '' },
      ...halves(THINKING).map((reasoning_content) => ({ reasoning_content })),
      ...halves(TEXT).map((content) => ({ content })),
      { tool_calls: [{ index: 0, ...toolCall, function: { name: 'book', arguments: '' } }] },
      ...halves(ARGUMENTS).map((json) => ({ tool_calls: [{ index: 0, function: { arguments: json } }] })),
      null,
    ]
      .map((delta) =>
        data({
          id: 'chatcmpl-1',
          object: 'chat.completion.chunk',
          created: 1,
          model: 'silent-1',
          choices: [{ index: 0, delta: delta ?? {}, finish_reason: delta === null ? 'tool_calls' : null }],
        }),
      )
      .concat('data: [DONE]\n\n'),
  },
  anthropic: {
    plain: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'silent-1',
      content: [
        { type: 'thinking', thinking: THINKING, signature: 'c2lnbmVk' },
        { type: 'text', text: TEXT },
        { type: 'tool_use', id: 'toolu_1', name: 'book', input: JSON.parse(ARGUMENTS) as object },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
    },
    stream: [
      {
        type: 'message_start',
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'silent-1',
          content: [],
          stop_reason: null,
        },
      },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: '', signature: '' },
      },
      ...halves(THINKING).map((thinking) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'thinking_delta', thinking },
      })),
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      ...halves(TEXT).map((text) => ({
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'text_delta', text },
      })),
      { type: 'content_block_stop', index: 1 },
      {
        type: 'content_block_start',
        index: 2,
        content_block: { type: 'tool_use', id: 'toolu_1', name: 'book', input: {} },
      },
      ...halves(ARGUMENTS).map((partial_json) => ({
        type: 'content_block_delta',
        index: 2,
        delta: { type: 'input_json_delta', partial_json },
      })),
      { type: 'content_block_stop', index: 2 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null } },
      { type: 'message_stop' },
    ].map((event) => data(event, event.type)),
  },
};

const chat = '/v1/chat/completions';
const messages = '/v1/messages';
const cases = [chat, messages].flatMap((route) =>
  protocols.flatMap((protocol) => [false, true].map((stream) => ({ route, protocol, stream }))),
);
const usageIn = (route: string, input: number) =>
  route === chat
    ? {
        prompt_tokens: input,
        completion_tokens: OUTPUT_TOKENS,
        total_tokens: input + OUTPUT_TOKENS,
        completion_tokens_details: { reasoning_tokens: REASONING_TOKENS },
      }
    : {
        input_tokens: input,
        output_tokens: OUTPUT_TOKENS,
        output_tokens_details: { thinking_tokens: REASONING_TOKENS },
      };

describe('an upstream that reports no usage', () => {
  let upstream: ScriptedUpstream;
  let svc: SharedSvc;
  let audit: LedgerAudit;
  beforeAll(async () => {
    upstream = await ScriptedUpstream.start();
    svc = await sharedSvc({ catalog: () => catalogAt(upstream.url) });
    audit = await openLedgerAudit(svc);
    await audit.raiseKeyLimits();
    // The tokenizer is loaded for the first count, which may take longer than an answer waits.
    await eventually(async () => {
      answersNext('openai', false);
      const { svc: told } = await answerOf(chat, bodyOf(chat, modelOf('estimated', 'openai'), false));
      expect(told).toMatchObject({ cost: { customer_nanos: charge(promptTokens(PROMPT), OUTPUT_TOKENS) } });
    });
  });
  afterAll(async () => {
    await audit.close();
    await upstream.close();
  });

  function answersNext(protocol: Protocol, stream: boolean): void {
    const { plain, stream: frames } = answers[protocol];
    upstream.next((_, response) => {
      response.writeHead(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' });
      response.end(stream ? frames.join('') : JSON.stringify(plain));
    });
  }

  const bodyOf = (route: string, model: string, stream: boolean, prompt = PROMPT) => ({
    model,
    max_tokens: 4000,
    stream,
    messages: [{ role: 'user', content: prompt }],
    ...(stream && route === chat && { stream_options: { include_usage: true } }),
  });

  /** The answer, or the frame of the stream that carries the additions. */
  async function answerOf(route: string, body: { stream: boolean }, headers: Record<string, string> = {}) {
    const response = await post(svc, route, body, { headers });
    const text = await response.text();
    expect({ status: response.status, text }).toMatchObject({ status: 200 });
    const answer = body.stream
      ? framesOf(text).findLast((frame) => 'svc' in frame)
      : (JSON.parse(text) as Record<string, unknown>);
    return {
      requestId: response.headers.get('x-request-id') ?? '',
      text,
      svc: svcOf(answer),
      usage: answer?.usage,
    };
  }

  /** Not with fetch: it opens another connection at once, whose idleness delays the end of the service. */
  async function leaveAfterFirstBytes(route: string, body: object): Promise<string> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${svc.apiKey}` };
    const outgoing = request(svc.baseUrl + route, { method: 'POST', agent: false, headers });
    outgoing.end(JSON.stringify(body));
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    await once(response, 'data');
    outgoing.destroy();
    return String(response.headers['x-request-id']);
  }

  const recordOf = async (requestId: string) => {
    const response = await fetch(`${svc.baseUrl}/api/v1/requests/${requestId}`, {
      headers: { authorization: `Bearer ${svc.apiKey}` },
    });
    return (await response.json()) as { status: string; usage: object; cost: object };
  };

  const input = promptTokens(PROMPT);

  it.each(cases)(
    'is charged finally for what was counted: $route at $protocol, stream $stream',
    async (one) => {
      const { route, protocol, stream } = one;
      answersNext(protocol, stream);
      const {
        svc: told,
        usage,
        requestId,
      } = await answerOf(route, bodyOf(route, modelOf('estimated', protocol), stream));
      const cost = { customer_nanos: charge(input, OUTPUT_TOKENS), state: 'final' };
      expect(told.cost).toEqual(cost);
      expect(usage).toMatchObject(usageIn(route, input));
      expect(await recordOf(requestId)).toMatchObject({
        status: 'succeeded',
        cost,
        usage: { input_tokens: input, output_tokens: OUTPUT_TOKENS, reasoning_tokens: REASONING_TOKENS },
      });
      expect((await audit.charges()).get(requestId)).toEqual([BigInt(cost.customer_nanos)]);
    },
  );

  it.each(cases)('needs finance where it should report: $route at $protocol, stream $stream', async (one) => {
    const { route, protocol, stream } = one;
    answersNext(protocol, stream);
    const { svc: told, requestId } = await answerOf(
      route,
      bodyOf(route, modelOf('reported', protocol), stream),
    );
    expect(told.cost.state).toBe('provisional');
    expect(await recordOf(requestId)).toMatchObject({
      status: 'reconciliation_required',
      cost: { state: 'provisional' },
    });
  });

  it.each([false, true])('answers a retry the same and charges it once, stream %s', async (stream) => {
    answersNext('openai', stream);
    const body = bodyOf(chat, modelOf('estimated', 'openai'), stream);
    const headers = { 'idempotency-key': `retried-${String(stream)}` };
    const first = await answerOf(chat, body, headers);
    const again = await answerOf(chat, body, headers);
    expect(again).toMatchObject({ svc: first.svc, usage: first.usage });
    expect(await audit.charges()).not.toHaveProperty(again.requestId);
  });

  it('that reports usage all the same is charged for its report', async () => {
    const usage = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };
    upstream.next((_, response) => void response.end(JSON.stringify({ ...answers.openai.plain, usage })));
    const answer = await answerOf(chat, bodyOf(chat, modelOf('estimated', 'openai'), false));
    expect(answer).toMatchObject({
      usage,
      svc: { cost: { customer_nanos: charge(1000, 500), state: 'final' } },
    });
  });

  it('shows no usage in a chat stream to a caller that did not ask', async () => {
    answersNext('openai', true);
    const body = { ...bodyOf(chat, modelOf('estimated', 'openai'), true), stream_options: undefined };
    const { text, svc: told } = await answerOf(chat, body);
    expect(text).not.toContain('"usage"');
    expect(told.cost).toEqual({ customer_nanos: charge(input, OUTPUT_TOKENS), state: 'final' });
  });

  it('is understood by the official clients, with its usage', async () => {
    const prompt = [{ role: 'user' as const, content: PROMPT }];
    answersNext('openai', true);
    const completion = await openAiClient(svc)
      .chat.completions.stream({
        model: modelOf('estimated', 'openai'),
        messages: prompt,
        stream_options: { include_usage: true },
      })
      .finalChatCompletion();
    expect(completion.usage).toMatchObject(usageIn(chat, input));
    answersNext('anthropic', true);
    const message = await anthropicClient(svc)
      .messages.stream({ model: modelOf('estimated', 'anthropic'), max_tokens: 4000, messages: prompt })
      .finalMessage();
    expect(message.usage).toMatchObject(usageIn(messages, input));
  });

  it('is charged no more than the context window for a huge prompt', async () => {
    answersNext('openai', true);
    const body = bodyOf(chat, modelOf('estimated', 'openai'), true, 'word '.repeat(1_000_000));
    const { svc: told, usage } = await answerOf(chat, body);
    expect(told.cost).toEqual({ customer_nanos: charge(CONTEXT_WINDOW, OUTPUT_TOKENS), state: 'final' });
    expect(usage).toMatchObject({ prompt_tokens: CONTEXT_WINDOW });
  });

  it('is counted for twenty calls at once', async () => {
    const calls = Array.from({ length: 20 }, () => {
      answersNext('openai', true);
      return answerOf(chat, bodyOf(chat, modelOf('estimated', 'openai'), true));
    });
    for (const { svc: told } of await Promise.all(calls)) {
      expect(told.cost).toEqual({ customer_nanos: charge(input, OUTPUT_TOKENS), state: 'final' });
    }
  });

  it('counts no more output than the caller allowed', async () => {
    answersNext('openai', false);
    const body = { ...bodyOf(chat, modelOf('estimated', 'openai'), false), max_tokens: 5 };
    const { svc: told, requestId } = await answerOf(chat, body);
    expect(told.cost).toEqual({ customer_nanos: charge(input, 5), state: 'final' });
    expect(await recordOf(requestId)).toMatchObject({ status: 'succeeded' });
  });

  it.each([...protocols])(
    'that is cut off by its caller is charged provisionally, at %s',
    async (protocol) => {
      const until = protocol === 'openai' ? 5 : 8;
      upstream.next((_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(answers[protocol].stream.slice(0, until).join(''));
      });
      const route = protocol === 'openai' ? chat : messages;
      const id = await leaveAfterFirstBytes(route, bodyOf(route, modelOf('estimated', protocol), true));
      const output = REASONING_TOKENS + countTokens(TEXT);
      await eventually(async () => {
        expect((await audit.calls()).find((call) => call.id === id)).toMatchObject({
          status: 'cancelled',
          costState: 'provisional',
          customerNanos: BigInt(charge(input, output)),
        });
      });
    },
  );

  it('leaves the books in balance', async () => {
    expect(await audit.books()).toMatchObject({ heldNanos: 0n, allEntriesNanos: 0n });
  });
});
