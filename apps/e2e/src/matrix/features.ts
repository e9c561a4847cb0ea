import { eventually } from '@svc/testing';
import { type FeatureName, type Protocol } from './feature-names';
import { type ClientUnderTest, type MatrixClient, type Question, type Way } from './matrix-client';
import { modelOf, type MatrixWorld } from './matrix-world';
import { type VendorName } from './strict/vendors/vendors';
import { picture, scenes, weatherInputs, type SceneName } from './scenes';
import { type UpstreamUnderTest } from './upstreams';

/** One client over one upstream. */
interface Cell {
  readonly world: MatrixWorld;
  readonly under: ClientUnderTest;
  readonly upstream: UpstreamUnderTest;
  readonly protocol: Protocol;
  /** Whose rules the upstream has. Absent for the usual vendor of the protocol. */
  readonly vendor?: VendorName;
  readonly client: MatrixClient;
}

const WRONG_KEY = 'svc_sk_0000000000000000000000000000000000000000000';
let promptCount = 0;

/** Each question has its own prompt, so that answers cannot be mixed up. */
function about(cell: Cell, scene: SceneName, more: Partial<Question> = {}): Question {
  const prompt = cell.world.upstream(cell.upstream).promptOf(scene, ++promptCount);
  return { model: modelOf(cell.upstream, cell.protocol, cell.vendor), prompt, ...more };
}

/** A prompt that tells the simulator what to do. */
const directed = (cell: Cell, directive: object, more: Partial<Question> = {}): Question => ({
  ...about(cell, 'text', more),
  prompt: `Number ${String(++promptCount)} @simulator ${JSON.stringify(directive)}`,
});

const streamed = async (cell: Cell, question: Question) => {
  const pieces: string[] = [];
  const reply = await cell.client.stream(question, (piece) => pieces.push(piece));
  return { ...reply, pieces };
};

async function expectTools(cell: Cell, way: Way): Promise<void> {
  const { inputs, text } = await cell.client.useTool(about(cell, 'tools'), way);
  // Some clients run both tools at once.
  expect(inputs).toHaveLength(weatherInputs.length);
  expect(inputs).toEqual(expect.arrayContaining(weatherInputs));
  for (const result of ['Sunny, 21 degrees', 'Rain']) expect(text).toContain(result);
}

async function expectCity(cell: Cell, way: Way): Promise<void> {
  const { text } = await cell.client[way](about(cell, 'city', { wantsCity: true }));
  const city = JSON.parse(text) as Record<string, unknown>;
  expect(Object.keys(city).sort()).toEqual(['name', 'people']);
  expect([typeof city.name, typeof city.people]).toEqual(['string', 'number']);
}

function expectUsage({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }): void {
  expect(inputTokens).toBeGreaterThan(0);
  expect(outputTokens).toBeGreaterThan(0);
}

async function expectErrors(cell: Cell): Promise<void> {
  const { world, under, client } = cell;
  const stranger = under.connect({ baseUrl: world.proxy.url, apiKey: WRONG_KEY });
  // A client that only answers with objects of a schema is asked for one.
  const more = { wantsCity: under.lacks?.plain !== undefined };
  const way = more.wantsCity ? 'ask' : 'stream';
  const refusals = [
    { call: () => stranger.ask(about(cell, 'text', more)), status: 401, code: 'invalid_api_key' },
    {
      call: () => client.ask({ ...about(cell, 'text', more), model: 'none/such' }),
      status: 404,
      code: 'not_found',
    },
    {
      call: () => client[way](directed(cell, { status: 413, error_message: 'Too long for me.' }, more)),
      status: 400,
      code: 'provider_http_413',
    },
  ];
  world.proxy.answers.length = 0;
  for (const { call, status, code } of refusals) {
    const failure = await call().then(
      () => Promise.reject(new Error('There was an answer.')),
      (thrown: unknown) => client.failureOf(thrown),
    );
    expect(failure.status).toBe(status);
    expect(failure.message).toMatch(code.startsWith('provider') ? /Too long for me\./ : /\w/);
    if (!under.errorsHide?.includes('code')) expect(failure.code).toBe(code);
    if (!under.errorsHide?.includes('requestId')) expect(failure.requestId).toMatch(/^req_/);
  }
  // None of them was retried.
  expect(world.proxy.answers.map(({ status }) => status)).toEqual(refusals.map(({ status }) => status));
}

async function expectReplay(cell: Cell, way: Way): Promise<void> {
  const { simulator, audit, proxy } = cell.world;
  await simulator.clearJournal();
  proxy.answers.length = 0;
  const question = about(cell, 'text', { headers: { 'Idempotency-Key': crypto.randomUUID() } });
  const original = await cell.client[way](question);
  const { balanceNanos } = await audit.books();
  expect(await cell.client[way](question)).toEqual(original);
  expect(await simulator.journal()).toHaveLength(1);
  expect((await audit.books()).balanceNanos).toBe(balanceNanos);
  const [first, second] = proxy.answers.map(({ headers }) => headers);
  expect(first?.['idempotency-replayed']).toBeUndefined();
  expect(second?.['idempotency-replayed']).toBe('true');
  expect(second?.['x-request-id']).toBe(first?.['x-request-id']);
}

async function expectCancelled(cell: Cell): Promise<void> {
  const { simulator, audit } = cell.world;
  await simulator.clearJournal();
  const leave = new AbortController();
  let pieces = 0;
  const question = directed(cell, { reply_words: 300, chunk_delay_ms: 50 }, { signal: leave.signal });
  const left = cell.client.stream(question, () => {
    if (++pieces === 3) leave.abort();
  });
  await expect(left).rejects.toBeDefined();
  await eventually(async () => {
    expect(await simulator.journal()).toMatchObject([{ outcome: 'interrupted' }]);
    expect((await audit.books()).heldNanos).toBe(0n);
  }, 5000);
  const record = (await audit.calls()).at(-1);
  expect(record).toMatchObject({ status: 'cancelled', costState: 'provisional' });
  expect(record?.customerNanos).toBeGreaterThan(0n);
}

/** The meaning of each feature, and how it is tried. */
export const features: Readonly<Record<FeatureName, (cell: Cell) => Promise<void>>> = {
  plain: async (cell) => {
    expect((await cell.client.ask(about(cell, 'text'))).text).toBe(scenes.text.reply);
  },
  stream: async (cell) => {
    const { text, pieces } = await streamed(cell, about(cell, 'text'));
    expect(text).toBe(scenes.text.reply);
    expect(pieces.join('')).toBe(text);
    expect(pieces.length).toBeGreaterThan(2);
  },
  usage: async (cell) => {
    const more = { wantsCity: cell.under.lacks?.plain !== undefined };
    expectUsage(await cell.client.ask(about(cell, more.wantsCity ? 'city' : 'text', more)));
  },
  usageStreamed: async (cell) => {
    expectUsage(await cell.client.stream(about(cell, 'text')));
  },
  tools: (cell) => expectTools(cell, 'ask'),
  toolsStreamed: (cell) => expectTools(cell, 'stream'),
  schema: (cell) => expectCity(cell, 'ask'),
  schemaStreamed: (cell) => expectCity(cell, 'stream'),
  image: async (cell) => {
    const wantsCity = cell.under.lacks?.plain !== undefined;
    await cell.client.ask(about(cell, wantsCity ? 'city' : 'picture', { picture, wantsCity }));
    const { body } = cell.world.recorder.received.at(-1) ?? {};
    expect(JSON.stringify(body)).toContain(picture.toString('base64'));
  },
  errors: expectErrors,
  cut: async (cell) => {
    const pieces: string[] = [];
    cell.world.proxy.answers.length = 0;
    const question = directed(cell, { reply_words: 40, cut_after: 8 });
    await expect(cell.client.stream(question, (piece) => pieces.push(piece))).rejects.toBeDefined();
    expect(pieces.length).toBeGreaterThan(0);
    expect(cell.world.proxy.answers).toHaveLength(1);
  },
  retry: async (cell) => {
    const { recorder, proxy } = cell.world;
    const wantsCity = cell.under.lacks?.plain !== undefined;
    const question = about(cell, wantsCity ? 'city' : 'text', { wantsCity });
    recorder.limitOnce(`(${String(promptCount)})`);
    proxy.answers.length = 0;
    const startedAtMs = performance.now();
    await cell.client.ask(question);
    expect(performance.now() - startedAtMs).toBeGreaterThan(950);
    expect(proxy.answers.map(({ status }) => status)).toEqual([429, 200]);
    expect(proxy.answers[0]?.headers['retry-after']).toBe('1');
  },
  cancel: expectCancelled,
  replay: async (cell) => {
    await expectReplay(cell, 'ask');
    await expectReplay(cell, 'stream');
  },
  countTokens: async (cell) => {
    expect(await cell.client.countTokens?.(about(cell, 'text'))).toBeGreaterThan(0);
  },
  models: async (cell) => {
    expect(await cell.client.models?.()).toContain(modelOf(cell.upstream, cell.protocol));
  },
};
