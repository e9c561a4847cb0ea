import { catalogOf, CHAT } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const world = edgeWorld();

const withAliases = (): string => {
  const catalog = JSON.parse(catalogOf([world.upstream.url])) as { endpoints: object[] };
  const endpoints = catalog.endpoints.map((endpoint) => ({
    ...endpoint,
    operations: ['chat_completions', 'messages'],
  }));
  return JSON.stringify({
    ...catalog,
    endpoints,
    aliases: { fast: 'acme/small', 'team/default': 'acme/small' },
  });
};
const start = () => world.start({ catalog: withAliases() });

const ANSWER = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'small-1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 5, completion_tokens: 1 },
};
const STREAM =
  'data: {"object":"chat.completion.chunk","model":"small-1","choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n' +
  'data: {"model":"small-1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":1}}\n\n' +
  'data: [DONE]\n\n';

const answerPlain = () => {
  world.upstream.next((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(ANSWER));
  });
};
const answerStream = () => {
  world.upstream.next((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(STREAM);
  });
};
const ask = (body: object = {}, init?: RequestInit) =>
  world.edge.post('/v1/chat/completions', { ...CHAT, model: 'fast', ...body }, init);
const get = async (path: string) => {
  const response = await fetch(world.edge.url + path, { headers: { 'x-api-key': world.edge.apiKey } });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

describe('a call that names an alias', () => {
  it('is answered under the alias, and booked on its model', async () => {
    await start();
    answerPlain();
    expect(await (await ask()).json()).toMatchObject({ model: 'fast' });
    expect(JSON.parse(world.upstream.received[0]!.body.toString())).toMatchObject({ model: 'small-1' });
    const record = await world.database.prisma.requestRecord.findFirstOrThrow();
    expect(record).toMatchObject({ model: 'acme/small', status: 'succeeded' });
    expect(record.customerNanos).toBe(5n * 10n + 100n);
  });

  it('streams under the alias, in its own protocol and translated', async () => {
    await start();
    answerStream();
    const native = await (await ask({ stream: true })).text();
    expect(native).toContain('"model":"fast"');
    answerStream();
    const translated = await world.edge.post('/v1/messages', {
      ...CHAT,
      model: 'team/default',
      stream: true,
    });
    const text = await translated.text();
    expect(text).toContain('"model":"team/default"');
    expect(native + text).not.toContain('small-1');
  });

  it('is replayed under the alias', async () => {
    await start();
    answerPlain();
    const init = { headers: { 'idempotency-key': 'once' } };
    const first = await (await ask({}, init)).text();
    const again = await ask({}, init);
    expect(await again.text()).toBe(first);
    expect(world.upstream.received).toHaveLength(1);
  });

  it.each([
    [{ denied_models: ['acme/small'] }, 404],
    [{ allowed_models: ['acme/other'] }, 404],
    [{ allowed_models: ['acme/small'] }, 200],
  ])('is judged by what the policy %j says of its model', async (policy, status) => {
    await start();
    await world.writePolicy(policy);
    if (status === 200) answerPlain();
    const response = await ask();
    expect(response.status).toBe(status);
    if (status === 404) expect(await response.text()).toContain('The model `fast` does not exist');
  });

  it('has its tokens counted', async () => {
    await start();
    const response = await world.edge.post('/v1/messages/count_tokens', {
      model: 'fast',
      messages: CHAT.messages,
    });
    expect(await response.json()).toEqual({ input_tokens: expect.any(Number) as number });
  });
});

describe('the list of models', () => {
  it('has aliases after their model, owned by its creator', async () => {
    await start();
    const { body } = await get('/v1/models');
    expect(body['data']).toMatchObject([
      { id: 'acme/small', owned_by: 'acme' },
      { id: 'fast', owned_by: 'acme', display_name: 'acme/small', context_window: 1_000_000 },
      { id: 'team/default', owned_by: 'acme' },
    ]);
    expect(body).toMatchObject({ first_id: 'acme/small', last_id: 'team/default' });
    expect((await get('/v1/models/fast')).body).toMatchObject({ id: 'fast', type: 'model' });
    expect((await get('/v1/models/team%2Fdefault')).body).toMatchObject({ id: 'team/default' });
    expect((await get('/v1/models/none')).status).toBe(404);
  });
});
