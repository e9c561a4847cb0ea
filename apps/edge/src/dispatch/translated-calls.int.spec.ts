import { readSse } from '@svc/testing';
import { answersJson, completion, message } from '../testing/answers';
import { CHAT, MODEL, PRICES } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

type Protocol = 'openai' | 'anthropic';

const catalogAt = (url: string, protocol: Protocol): string =>
  JSON.stringify({
    providers: [{ name: protocol, protocol, base_url: `${url}/v1` }],
    models: [{ ...MODEL, display_name: 'Small' }],
    endpoints: [
      {
        model: MODEL.id,
        provider: protocol,
        upstream_model: 'small-1',
        region: 'eu',
        data_retention: 'zero',
        prices: PRICES,
      },
    ],
  });

const told = message({ input_tokens: 7, cache_read_input_tokens: 3, output_tokens: 2 }, 'Hello there');
const completed = completion(
  { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 3 } },
  'Hello there',
);

const world = edgeWorld();
const start = (protocol: Protocol): Promise<void> =>
  world.start({ catalog: catalogAt(world.upstream.url, protocol) });

const answerStream = (frames: string) =>
  world.upstream.next((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(frames);
  });

const sentBody = (): Record<string, unknown> =>
  JSON.parse(String(world.upstream.received[0]?.body)) as Record<string, unknown>;

describe('a chat call to a model whose provider speaks messages', () => {
  beforeEach(() => start('anthropic'));

  it('is answered as a chat completion, with cached tokens counted once and what was lost in warnings', async () => {
    world.upstream.next(answersJson(told));
    const response = await world.edge.post('/v1/chat/completions', { ...CHAT, seed: 7 });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      model: MODEL.id,
      choices: [{ message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 3 } },
      svc: { provider: 'anthropic', cost: { customer_nanos: 10 * 10 + 2 * 100, state: 'final' } },
      warnings: [{ param: 'seed', code: 'unsupported_parameter' }],
    });
    expect(world.upstream.received[0]?.path).toBe('/v1/messages');
    expect(sentBody()).toMatchObject({ model: 'small-1', max_tokens: 50 });
    expect(sentBody()).not.toHaveProperty('seed');
  });

  it('is sent what translation leaves of a parameter of which it loses a part', async () => {
    world.upstream.next(answersJson(told));
    const response = await world.edge.post('/v1/chat/completions', { ...CHAT, stop: [' ', 'END'] });
    expect(await response.json()).toMatchObject({ warnings: [{ param: 'stop' }] });
    expect(sentBody()).toMatchObject({ stop_sequences: ['END'] });
  });

  it('is refused in strict mode before any provider is contacted, naming what would be lost', async () => {
    const response = await world.edge.post('/v1/chat/completions', {
      ...CHAT,
      seed: 7,
      compat_mode: 'strict',
    });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ error: { code: 'capability_unsupported', param: 'seed' } });
    expect(world.upstream.received).toHaveLength(0);
  });

  it('is streamed as chat chunks that end in usage, svc and [DONE]', async () => {
    const events: [string, object][] = [
      ['message_start', { message: { ...told, content: [], stop_reason: null } }],
      ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
      ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello there' } }],
      ['content_block_stop', { index: 0 }],
      ['message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } }],
      ['message_stop', {}],
    ];
    answerStream(
      events.map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`).join(''),
    );
    const response = await world.edge.post('/v1/chat/completions', {
      ...CHAT,
      stream: true,
      stream_options: { include_usage: true },
    });
    const frames = await readSse(response);
    expect(frames.at(-1)?.data).toBe('[DONE]');
    expect(frames.at(-2)?.json).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 10, completion_tokens: 2 },
      svc: { cost: { customer_nanos: 300 } },
    });
  });
});

describe('a messages call to a model whose provider speaks chat completions', () => {
  beforeEach(() => start('openai'));

  it('is answered as a message, with cached tokens counted once', async () => {
    world.upstream.next(answersJson(completed));
    const response = await world.edge.post('/v1/messages', { ...CHAT, system: 'Be brief.' });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      type: 'message',
      model: MODEL.id,
      content: [{ type: 'text', text: 'Hello there' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 7, cache_read_input_tokens: 3, output_tokens: 2 },
      svc: { provider: 'openai', cost: { customer_nanos: 300, state: 'final' } },
    });
    expect(world.upstream.received[0]?.path).toBe('/v1/chat/completions');
    expect(sentBody()).toMatchObject({ messages: [{ role: 'system' }, { role: 'user' }] });
  });

  it('is streamed as message events, and a stream that was cut ends in an error event', async () => {
    const chunk = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'small-1' };
    const choices = [{ index: 0, delta: { role: 'assistant', content: 'Hello' }, finish_reason: null }];
    answerStream(`data: ${JSON.stringify({ ...chunk, choices })}\n\n`);
    const frames = await readSse(await world.edge.post('/v1/messages', { ...CHAT, stream: true }));
    expect(frames.map(({ event }) => event)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'error',
    ]);
  });
});
