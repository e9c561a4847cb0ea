import { type ScriptedAnswer } from '@svc/testing';
import { answersJson, completes, errorOf } from '../testing/answers';
import { CHAT, MODEL, type EdgeOptions } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const EMBEDDING = 'acme/embed';
const PATH = '/v1/embeddings';
const CALL = { model: EMBEDDING, input: 'Hi' } as const;
const INPUT_PRICE = 10n;
/** Tokens that a model takes of one input. */
const WINDOW = 1_000;

const world = edgeWorld();

/** `acme/embed` at two providers, the second one dearer; `acme/small` for chat; one model that reports no usage. */
const catalog = (): string => {
  const provider = { protocol: 'openai', base_url: `${world.upstream.url}/v1` };
  const at = (model: string, name: string, operation: string, input: number) => ({
    model,
    provider: name,
    upstream_model: 'embed-1',
    region: 'eu',
    data_retention: 'zero',
    operations: [operation],
    prices: { input, output: 0 },
    timeout_ms: { first_byte: 2_000, idle: 2_000 },
  });
  const price = Number(INPUT_PRICE);
  const embeds = (id: string) => ({ id, display_name: id, context_window: WINDOW });
  return JSON.stringify({
    providers: ['first', 'second'].map((name) => ({ ...provider, name })),
    models: [
      embeds(EMBEDDING),
      embeds('acme/uncounted'),
      embeds('acme/texts'),
      { ...MODEL, display_name: 'Small' },
    ],
    endpoints: [
      { ...at(EMBEDDING, 'first', 'embeddings', price), parameters: ['encoding_format', 'user'] },
      { ...at(EMBEDDING, 'second', 'embeddings', price + 1), parameters: ['encoding_format', 'user'] },
      { ...at('acme/uncounted', 'first', 'embeddings', price), usage: 'estimated' },
      { ...at('acme/texts', 'first', 'embeddings', price), text_input_only: true },
      at(MODEL.id, 'first', 'chat_completions', price),
    ],
    aliases: { 'text-embedding': EMBEDDING },
  });
};
const start = (options: Partial<EdgeOptions> = {}) => world.start({ catalog: catalog(), ...options });
const post = (more: object = {}, headers: Record<string, string> = {}, path = PATH) =>
  world.edge.post(path, { ...CALL, ...more }, { headers });

const answersText = (json: string): ScriptedAnswer => {
  return (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(json);
};
const embeds = (promptTokens?: number): ScriptedAnswer =>
  answersJson({
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [0.25, -1] }],
    model: 'embed-1',
    ...(promptTokens !== undefined && { usage: { prompt_tokens: promptTokens, total_tokens: promptTokens } }),
  });
const bodySent = () => JSON.parse(world.upstream.received.at(-1)!.body.toString()) as object;
const recordOf = (response: Response) =>
  world.database.prisma.requestRecord.findFirstOrThrow({
    where: { id: response.headers.get('x-request-id')! },
  });
const balance = async (): Promise<bigint> =>
  (await world.database.prisma.wallet.findFirstOrThrow()).balanceNanos;

describe('an embeddings call', () => {
  it.each([
    ['numbers', '[ 0.10, -1e-05,2.50E+3 ]'],
    ['base64', '"AACAPwAAgL8="'],
  ])('passes vectors as %s through byte for byte', async (_, vector) => {
    await start();
    const head = `{ "object":"list","data":[{"embedding":${vector},"index":0}],`;
    world.upstream.next(
      answersText(`${head}"model":"embed-1","usage":{"prompt_tokens":3,"total_tokens":3}}`),
    );
    const response = await post({ encoding_format: 'base64', user: 'u-1', compat_mode: 'strict' });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text.startsWith(`${head}"model":"acme/embed","usage":{"prompt_tokens":3`)).toBe(true);
    expect(JSON.parse(text)).toMatchObject({
      svc: { provider: 'first', cost: { customer_nanos: 30, state: 'final' } },
    });
    expect(world.upstream.received[0]).toMatchObject({ path: '/v1/embeddings' });
    expect(bodySent()).toEqual({ model: 'embed-1', input: 'Hi', encoding_format: 'base64', user: 'u-1' });
    expect(await recordOf(response)).toMatchObject({
      route: 'embeddings',
      status: 'succeeded',
      stream: false,
      inputTokens: 3,
      outputTokens: 0,
      customerNanos: 30n,
      labels: { user: 'u-1', metadata: {} },
    });
    expect(await balance()).toBe(1_000_000_000n - 30n);
  });

  it('may name an alias, which the answer repeats', async () => {
    await start();
    world.upstream.next(embeds(1));
    const response = await post({ model: 'text-embedding' });
    expect(await response.json()).toMatchObject({ model: 'text-embedding' });
    expect(await recordOf(response)).toMatchObject({ model: EMBEDDING });
  });

  it('without a parameter that no endpoint takes has a warning, or is refused', async () => {
    await start();
    world.upstream.next(embeds(1));
    const response = await post({ dimensions: 8 }, { 'anthropic-beta': 'a-1' });
    const { warnings } = (await response.json()) as { warnings: { param: string }[] };
    expect(warnings.map(({ param }) => param)).toEqual(['dimensions', 'anthropic-beta']);
    expect(bodySent()).toEqual({ model: 'embed-1', input: 'Hi' });
    expect(await errorOf(await post({ dimensions: 8, compat_mode: 'strict' }))).toEqual({
      status: 422,
      code: 'capability_unsupported',
      param: 'dimensions',
    });
  });

  it('with tokens goes only where they are taken, and is refused where they are nowhere', async () => {
    await start();
    for (const input of [
      [1, 2],
      [[1], [2]],
    ]) {
      const response = await post({ model: 'acme/texts', input });
      expect(await errorOf(response)).toEqual({
        status: 422,
        code: 'capability_unsupported',
        param: 'input',
      });
    }
    world.upstream.next(embeds(1));
    expect((await post({ model: 'acme/texts' })).status).toBe(200);
    expect(world.upstream.received).toHaveLength(1);
  });

  it('falls back to the next endpoint of the same model, and no further', async () => {
    await start();
    world.upstream.next(answersJson({ error: { message: 'down' } }, 500));
    world.upstream.next(embeds(2));
    expect(await (await post()).json()).toMatchObject({
      svc: { attempts: [{ error: 'provider_error' }, { status: 200 }], cost: { customer_nanos: 22 } },
    });
    for (const body of ['{"object":"list"}', '{"data":[{"embedding":[0.1,']) {
      world.upstream.next(answersText(body));
    }
    expect(await errorOf(await post())).toMatchObject({ status: 502, code: 'provider_error' });
    expect(await balance()).toBe(1_000_000_000n - 22n);
  });

  it('with a body above 256 KiB is read on the second thread, and sent as it is', async () => {
    await start();
    world.upstream.next(embeds(7));
    const input = Array.from({ length: 2048 }, (_, at) => `${String(at)} ${'x'.repeat(200)}`);
    const response = await post({ input }, { 'Idempotency-Key': 'k1' });
    expect(response.status).toBe(200);
    expect(bodySent()).toEqual({ model: 'embed-1', input });
    expect(await (await post({ input }, { 'Idempotency-Key': 'k1' })).text()).toBe(await response.text());
    expect(world.upstream.received).toHaveLength(1);
  });
});

describe('what an embeddings call holds', () => {
  const holds = async (input: unknown, creditNanos: bigint) => {
    await start({ creditNanos });
    world.upstream.next(embeds(1));
    const response = await post({ input });
    await response.text();
    return response.status;
  };
  /** At the dearer endpoint. */
  const price = INPUT_PRICE + 1n;

  it('is the price of exactly its tokens, where it sends tokens', async () => {
    expect(await holds([[1, 2, 3], [4]], 4n * price)).toBe(200);
  });

  it('is no less than that', async () => {
    await start({ creditNanos: 4n * price - 1n });
    expect(await errorOf(await post({ input: [1, 2, 3, 4] }))).toMatchObject({ code: 'insufficient_funds' });
  });

  it('is at most a context window for each input', async () => {
    expect(await holds(Array(3).fill('x'.repeat(40_000)), 3n * BigInt(WINDOW) * price)).toBe(200);
  });

  it('is bound by a count of its texts where their bytes do not fit', async () => {
    const input = Array<string>(3).fill('the quick brown fox jumps over the lazy dog '.repeat(10));
    const bytes = Buffer.byteLength(JSON.stringify({ ...CALL, input }));
    expect(await holds(input, (BigInt(bytes) * price) / 2n)).toBe(200);
  });

  it('is refused by a budget that it exceeds', async () => {
    await start();
    await world.addBudget(1n);
    expect(await errorOf(await post())).toMatchObject({ status: 402, code: 'budget_exceeded' });
  });
});

describe('an embeddings answer without a usage report', () => {
  it.each([
    ['a quarter of the bytes of its body', { input: 'x'.repeat(400) }, null],
    ['the tokens that it sent', { input: [[1, 2], [3]] }, 3],
  ])('is charged for %s, and finance is asked to look', async (_, more, tokens) => {
    await start();
    world.upstream.next(embeds());
    const response = await post(more);
    const bytes = Buffer.byteLength(JSON.stringify({ ...CALL, ...more }));
    const inputTokens = tokens ?? Math.ceil(bytes / 4);
    const { svc } = (await response.json()) as { svc: object };
    expect(svc).toMatchObject({
      cost: { customer_nanos: inputTokens * Number(INPUT_PRICE), state: 'provisional' },
    });
    expect(await recordOf(response)).toMatchObject({
      status: 'reconciliation_required',
      inputTokens,
      outputTokens: 0,
    });
  });

  it.each([
    ['text', 'Hello there', 2],
    ['tokens', [11, 12, 13], 3],
  ])('at an endpoint that reports none is counted: %s', async (_, input, inputTokens) => {
    await start();
    world.upstream.next(embeds());
    const response = await post({ model: 'acme/uncounted', input });
    expect(await response.json()).toMatchObject({
      usage: { prompt_tokens: inputTokens, total_tokens: inputTokens },
      svc: { cost: { customer_nanos: inputTokens * Number(INPUT_PRICE), state: 'final' } },
    });
    expect(await recordOf(response)).toMatchObject({ status: 'succeeded', inputTokens });
  });
});

describe('a model on a route that does not serve it', () => {
  it.each([
    [PATH, { model: MODEL.id, input: 'Hi' }, 'POST /v1/chat/completions'],
    ['/v1/chat/completions', { ...CHAT, model: EMBEDDING }, 'POST /v1/embeddings'],
    ['/v1/messages', { ...CHAT, model: EMBEDDING }, 'POST /v1/embeddings'],
  ])('is 422 on %s, and the message names the right one', async (path, body, right) => {
    await start();
    const response = await world.edge.post(path, body);
    const { error } = (await response.clone().json()) as { error: { message: string } };
    expect(await errorOf(response)).toEqual({ status: 422, code: 'operation_unsupported', param: 'model' });
    expect(error.message).toContain(`Use ${right}`);
  });
});

describe('an answer of more than 64 MiB', () => {
  it('is 400: the caller asked for it, and no other endpoint is asked', async () => {
    await start();
    world.upstream.next((_, response) => {
      const part = Buffer.alloc(1024 * 1024, ' ');
      const goOn = (): void => {
        while (!response.destroyed && response.write(part));
        response.once('drain', goOn);
      };
      goOn();
    });
    const response = await post();
    expect(await errorOf(response)).toEqual({ status: 400, code: 'invalid_request', param: 'input' });
    expect(await world.upstream.received[0]!.answered).toBe(false);
    expect(await recordOf(response)).toMatchObject({ status: 'failed', customerNanos: 0n });
    // No circuit counts it.
    for (let call = 0; call < 2; call++) {
      world.upstream.next(embeds(1));
      expect((await post()).status).toBe(200);
    }
  });
});

describe('an idempotency key of an embeddings call', () => {
  it('stands for the call on this route, and its answer is replayed byte for byte', async () => {
    await start();
    world.upstream.next(embeds(2));
    const keyed = { 'Idempotency-Key': 'k1' };
    const first = await (await post({}, keyed)).text();
    const replay = await post({}, keyed);
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(await replay.text()).toBe(first);
    expect(await balance()).toBe(1_000_000_000n - 20n);
    expect(await errorOf(await post({ input: 'Ho' }, keyed))).toMatchObject({
      code: 'idempotency_key_reused',
    });
    const chat = await world.edge.post('/v1/chat/completions', CHAT, { headers: keyed });
    expect(await errorOf(chat)).toMatchObject({ status: 409, code: 'idempotency_key_reused' });
    world.upstream.next(completes());
    expect((await world.edge.post('/v1/chat/completions', CHAT)).status).toBe(200);
  });
});
