import { type ChatCompletionChunk, type ChatCompletionFunctionTool } from 'openai/resources/chat/completions';
import { type ChatCompletionStreamParams } from 'openai/lib/ChatCompletionStream';
import { shippedPrices, type CatalogPrices } from './harness/catalog-file';
import { directed, openAiClient, post, svcOf } from './harness/clients';
import { billedOfChat, expectedCharge } from './harness/expected-charge';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const MODEL = 'simulator/echo';
const PROVIDER = 'simulator';

const weather: ChatCompletionFunctionTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather of a city',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city', 'days'],
    },
  },
};

describe('the official OpenAI client, with nothing changed but its address and key', () => {
  let svc: SharedSvc;
  let client: ReturnType<typeof openAiClient>;
  let prices: CatalogPrices;

  beforeAll(async () => {
    svc = await sharedSvc();
    client = openAiClient(svc);
    prices = shippedPrices(MODEL, PROVIDER);
  });

  const ask = (content: string) => ({ model: MODEL, messages: [{ role: 'user' as const, content }] });

  it('gets a plain answer with the model id of its request', async () => {
    const answer = await client.chat.completions.create({
      ...ask('Where does the Rhine end?'),
      max_completion_tokens: 200,
    });
    expect(answer.object).toBe('chat.completion');
    expect(answer.model).toBe(MODEL);
    expect(answer.choices[0]?.message.content).toContain('Where does the Rhine end?');
    expect(answer.choices[0]?.finish_reason).toBe('stop');
  });

  it('learns provider, attempts and the exact cost from `svc`', async () => {
    const answer = await client.chat.completions.create(ask('What does this cost?'));
    const svcObject = svcOf(answer);
    expect(svcObject.provider).toBe(PROVIDER);
    expect(svcObject.attempts).toEqual([
      { provider: PROVIDER, region: expect.any(String), status: 200, duration_ms: expect.any(Number) },
    ]);
    const charge = expectedCharge(billedOfChat(answer.usage!), prices);
    expect(svcObject.cost).toEqual({ customer_nanos: Number(charge), state: 'final' });
    expect(charge).toBeGreaterThan(0n);
  });

  it('is charged cached and cache-written prompt tokens at their own prices', async () => {
    const answer = await client.chat.completions.create({
      model: MODEL,
      messages: [
        directed(
          { cached_tokens: 7, cache_write_tokens: 5 },
          'A prompt that is long enough to be cached. '.repeat(4),
        ),
      ],
    });
    const billed = billedOfChat(answer.usage!);
    expect(billed).toMatchObject({ cachedInput: 7, cacheWrite: 5 });
    expect(svcOf(answer).cost.customer_nanos).toBe(Number(expectedCharge(billed, prices)));
  });

  it('streams chunk by chunk, `svc` on the one that carries the finish reason', async () => {
    const stream = await client.chat.completions.create({ ...ask('Count with me'), stream: true });
    const chunks: ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.length).toBeGreaterThan(3);
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(chunks.every(({ model }) => model === MODEL)).toBe(true);
    expect(textOf(chunks)).toContain('Count with me');
    const last = chunks.at(-1)!;
    expect(last.choices[0]?.finish_reason).toBe('stop');
    expect(svcOf(last)).toMatchObject({ provider: PROVIDER, cost: { state: 'final' } });
    expect(svcOf(last).cost.customer_nanos).toBeGreaterThan(0);
    expect(chunks.slice(0, -1).some((chunk) => 'svc' in chunk)).toBe(false);
    expect(chunks.some(({ usage }) => usage)).toBe(false);
  });

  it('gets a usage chunk only when it asks for one, and then `svc` on it', async () => {
    const stream = await client.chat.completions.create({
      ...ask('And the usage, please'),
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    const last = chunks.at(-1)!;
    expect(last.choices).toEqual([]);
    const charge = expectedCharge(billedOfChat(last.usage!), prices);
    expect(svcOf(last).cost).toEqual({ customer_nanos: Number(charge), state: 'final' });
    expect(chunks.slice(0, -1).some((chunk) => 'svc' in chunk)).toBe(false);
  });

  it('reads the same answer through the `.stream()` helper', async () => {
    const stream = client.chat.completions.stream({
      ...ask('Through the helper'),
      stream_options: { include_usage: true },
    });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]?.message.content).toContain('Through the helper');
    expect(final.usage?.total_tokens).toBeGreaterThan(0);
  });

  it('is answered with a tool call, and with text once the tool has answered', async () => {
    const question = { role: 'user' as const, content: 'Use get_weather for Basel' };
    const first = await client.chat.completions.create({
      model: MODEL,
      messages: [question],
      tools: [weather],
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
    });
    const choice = first.choices[0]!;
    expect(choice.finish_reason).toBe('tool_calls');
    const call = choice.message.tool_calls![0]!;
    expectWeatherCall(call);
    const second = await client.chat.completions.create({
      model: MODEL,
      messages: [
        question,
        choice.message,
        { role: 'tool', tool_call_id: call.id, content: 'Sunny, 21 degrees' },
      ],
      tools: [weather],
    });
    expect(second.choices[0]?.message.content).toContain('Sunny, 21 degrees');
  });

  it('reassembles streamed tool arguments, which come in several pieces', async () => {
    const params: ChatCompletionStreamParams = {
      model: MODEL,
      messages: [{ role: 'user', content: 'Use get_weather for Basel' }],
      tools: [weather],
      tool_choice: 'required',
    };
    let pieces = 0;
    const stream = client.chat.completions.stream(params);
    stream.on('chunk', (chunk) => {
      if (chunk.choices[0]?.delta.tool_calls?.[0]?.function?.arguments) pieces++;
    });
    const final = await stream.finalChatCompletion();
    expect(pieces).toBeGreaterThan(1);
    expect(final.choices[0]?.finish_reason).toBe('tool_calls');
    expectWeatherCall(final.choices[0]!.message.tool_calls![0]!);
  });

  it('gets JSON of the schema that it asks for', async () => {
    const answer = await client.chat.completions.create({
      ...ask('A city, please'),
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'city',
          strict: true,
          schema: {
            type: 'object',
            properties: { name: { type: 'string' }, people: { type: 'integer' } },
            required: ['name', 'people'],
            additionalProperties: false,
          },
        },
      },
    });
    const city = JSON.parse(answer.choices[0]!.message.content!) as { name: unknown; people: unknown };
    expect([typeof city.name, typeof city.people]).toEqual(['string', 'number']);
  });

  it('gets as many choices as it asks for, plain and streamed', async () => {
    const plain = await client.chat.completions.create({ ...ask('Twice'), n: 2 });
    expect(plain.choices.map(({ index }) => index)).toEqual([0, 1]);
    expect(svcOf(plain).cost.customer_nanos).toBe(Number(expectedCharge(billedOfChat(plain.usage!), prices)));
    const final = await client.chat.completions.stream({ ...ask('Twice'), n: 2 }).finalChatCompletion();
    expect(final.choices.map(({ finish_reason }) => finish_reason)).toEqual(['stop', 'stop']);
  });

  it.each(['max_tokens', 'max_completion_tokens', 'max_output_tokens'])('is held to `%s`', async (name) => {
    const answer = await client.chat.completions.create({ ...ask('A long answer, please'), [name]: 3 });
    expect(answer.choices[0]?.finish_reason).toBe('length');
    expect(answer.usage?.completion_tokens).toBe(3);
  });

  it('finds a request id and the rate-limit headers on every answer', async () => {
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => client.chat.completions.create(ask('Hello')).asResponse()),
    );
    const ids = responses.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(5);
    for (const { headers } of responses) {
      expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
      expect(headers.get('x-ratelimit-scope')).toMatch(/^(key|org)$/);
      const numbers = ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
      expect(numbers).toEqual([0, 1, 2].map(() => expect.stringMatching(/^\d+$/)));
      expect(headers.has('retry-after')).toBe(false);
    }
  });

  it('sends the headers that proxies need to let a stream through', async () => {
    const response = await post(svc, '/v1/chat/completions', { ...ask('Raw'), stream: true });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const text = await response.text();
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(text).not.toMatch(/^event:/m);
  });
});

const textOf = (chunks: readonly ChatCompletionChunk[]) =>
  chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '').join('');

function expectWeatherCall(call: { type: string; function?: { name: string; arguments: string } }): void {
  expect(call.type).toBe('function');
  expect(call.function?.name).toBe('get_weather');
  const input = JSON.parse(call.function?.arguments ?? '') as { city: unknown; days: unknown };
  expect([typeof input.city, typeof input.days]).toEqual(['string', 'number']);
}
