import Anthropic from '@anthropic-ai/sdk';
import { shippedPrices, type CatalogPrices } from './harness/catalog-file';
import { anthropicClient, post, svcOf, type SvcAdditions } from './harness/clients';
import { billedOfMessage, expectedCharge } from './harness/expected-charge';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const MODEL = 'simulator/echo';
const PROVIDER = 'simulator-anthropic';

const weather: Anthropic.Tool = {
  name: 'get_weather',
  description: 'The weather of a city',
  input_schema: {
    type: 'object',
    properties: { city: { type: 'string' }, days: { type: 'integer' } },
    required: ['city', 'days'],
  },
};

describe('the official Anthropic client, with nothing changed but its address and key', () => {
  let svc: SharedSvc;
  let client: Anthropic;
  let prices: CatalogPrices;

  beforeAll(async () => {
    svc = await sharedSvc();
    client = anthropicClient(svc);
    prices = shippedPrices(MODEL, PROVIDER);
  });

  const ask = (content: string) => ({
    model: MODEL,
    max_tokens: 2000,
    messages: [{ role: 'user' as const, content }],
  });

  it('gets a plain answer with the model id of its request and its exact cost', async () => {
    const message = await client.messages.create(ask('Where does the Rhine end?'));
    expect(message).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: MODEL,
      stop_reason: 'end_turn',
    });
    expect(textOf(message)).toContain('Where does the Rhine end?');
    const { provider, attempts, cost } = svcOf(message);
    expect(provider).toBe(PROVIDER);
    expect(attempts).toEqual([
      { provider: PROVIDER, region: expect.any(String), status: 200, duration_ms: expect.any(Number) },
    ]);
    const charge = expectedCharge(billedOfMessage(message.usage), prices);
    expect(cost).toEqual({ customer_nanos: Number(charge), state: 'final' });
  });

  it('streams events in the order of the protocol, `svc` on message_delta', async () => {
    const stream = await client.messages.create({ ...ask('Count with me'), stream: true });
    const events: Anthropic.RawMessageStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    const types = events.map(({ type }) => type);
    expect(types[0]).toBe('message_start');
    expect(types.slice(-2)).toEqual(['message_delta', 'message_stop']);
    const start = events[0] as Anthropic.RawMessageStartEvent;
    expect(start.message.model).toBe(MODEL);
    const delta = events.at(-2) as Anthropic.RawMessageDeltaEvent;
    const usage = {
      ...start.message.usage,
      ...Object.fromEntries(Object.entries(delta.usage).filter(([, count]) => count !== null)),
    };
    const charge = expectedCharge(billedOfMessage(usage), prices);
    expect(svcOf(delta).cost).toEqual({ customer_nanos: Number(charge), state: 'final' });
    expect(events.filter((event) => 'svc' in event)).toHaveLength(1);
  });

  it('reads the same answer through the `.stream()` helper', async () => {
    const texts: string[] = [];
    const stream = client.messages.stream(ask('Through the helper')).on('text', (text) => texts.push(text));
    const final = await stream.finalMessage();
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.join('')).toBe(textOf(final));
    expect(textOf(final)).toContain('Through the helper');
    expect(final.stop_reason).toBe('end_turn');
  });

  it('is answered with a tool call, and with text once the tool has answered', async () => {
    const question = { role: 'user' as const, content: 'Use get_weather for Basel' };
    const settings = { model: MODEL, max_tokens: 500, tools: [weather] };
    const first = await client.messages.create({
      ...settings,
      messages: [question],
      tool_choice: { type: 'tool', name: 'get_weather' },
    });
    expect(first.stop_reason).toBe('tool_use');
    const call = toolUseOf(first);
    const second = await client.messages.create({
      ...settings,
      messages: [
        question,
        { role: 'assistant', content: first.content },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: call.id, content: 'Sunny, 21 degrees' }],
        },
      ],
    });
    expect(textOf(second)).toContain('Sunny, 21 degrees');
  });

  it('reassembles streamed tool arguments, which come in several pieces', async () => {
    let pieces = 0;
    const stream = client.messages
      .stream({ ...ask('Use get_weather for Basel'), tools: [weather], tool_choice: { type: 'any' } })
      .on('inputJson', (piece) => void (pieces += piece === '' ? 0 : 1));
    const call = toolUseOf(await stream.finalMessage());
    expect(pieces).toBeGreaterThan(1);
    expect(call.name).toBe('get_weather');
    const { city, days } = call.input as Record<string, unknown>;
    expect([typeof city, typeof days]).toEqual(['string', 'number']);
  });

  it('gets thinking blocks with their signature, plain and streamed', async () => {
    const call = { ...ask('Think first'), thinking: { type: 'enabled' as const, budget_tokens: 1024 } };
    const answers = [await client.messages.create(call), await client.messages.stream(call).finalMessage()];
    for (const { content } of answers) {
      const thought = content.find((block) => block.type === 'thinking');
      expect(thought?.thinking).not.toBe('');
      expect(thought?.signature).not.toBe('');
      expect(content.at(-1)?.type).toBe('text');
    }
  });

  it('is held to `max_tokens`', async () => {
    const message = await client.messages.create({ ...ask('A long answer, please'), max_tokens: 3 });
    expect(message.stop_reason).toBe('max_tokens');
    expect(message.usage.output_tokens).toBe(3);
  });

  it('may be given `{base_url}/v1` as its address too', async () => {
    const doubled = new Anthropic({ baseURL: `${svc.baseUrl}/v1`, apiKey: svc.apiKey });
    expect(textOf(await doubled.messages.create(ask('At /v1/v1/messages')))).toContain('At /v1/v1/messages');
    const streamed = await doubled.messages.stream(ask('And streamed')).finalMessage();
    expect(textOf(streamed)).toContain('And streamed');
  });

  it('may send its key in either header, on either route', async () => {
    const styles = [
      { authorization: '', 'x-api-key': svc.apiKey },
      { authorization: `Bearer ${svc.apiKey}` },
    ];
    for (const headers of styles)
      for (const path of ['/v1/messages', '/v1/chat/completions']) {
        const response = await post(svc, path, ask('Either header'), {
          headers: { ...headers, 'anthropic-version': '2023-06-01' },
        });
        expect([path, response.status]).toEqual([path, 200]);
        const { cost } = ((await response.json()) as { svc: SvcAdditions }).svc;
        expect(cost.customer_nanos).toBeGreaterThan(0);
      }
  });
});

const textOf = ({ content }: Anthropic.Message) =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');

function toolUseOf({ content }: Anthropic.Message): Anthropic.ToolUseBlock {
  const call = content.find((block) => block.type === 'tool_use');
  if (call === undefined) throw new Error('The message holds no tool call.');
  return call;
}
