import { eventually } from '@svc/testing';
import type OpenAI from 'openai';
import OpenAI6 from 'openai-6';
import {
  catalogOf,
  embeddingModel,
  embeddingPrices,
  testModel,
  withEmbeddings,
} from './harness/catalog-file';
import { directedText, openAiClient, post, svcOf, type ErrorBody } from './harness/clients';
import { expectedCharge } from './harness/expected-charge';
import { openLedgerAudit, type LedgerAudit } from './harness/ledger-audit';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const ROUTE = '/v1/embeddings';
/** The name of the model at the first upstream. */
const UPSTREAM_MODEL = 'first-model-embed';
const DIMENSIONS = 1536;

const charge = (tokens: number, order = 0): number =>
  Number(
    expectedCharge(
      { input: tokens, cachedInput: 0, cacheWrite: 0, output: 0 },
      { ...embeddingPrices, input: embeddingPrices.input + order },
    ),
  );

let svc: SharedSvc;
let audit: LedgerAudit;

beforeAll(async () => {
  const region = 'embedded';
  svc = await sharedSvc({
    catalog: (url) =>
      withEmbeddings(catalogOf({ name: 'first', url, region }, { name: 'second', url, region })),
  });
  audit = await openLedgerAudit(svc);
});
beforeEach(() => svc.simulator.clearJournal());
afterAll(() => audit.close());

const send = (body: object, headers: Record<string, string> = {}, init: { signal?: AbortSignal } = {}) =>
  post(svc, ROUTE, { model: embeddingModel, input: 'Hello', ...body }, { headers, ...init });

/** The text of `data` of an answer, as its server wrote it. */
const dataOf = (text: string): string => /"data":(\[.*\]),"model"/.exec(text)![1]!;

describe.each([
  // The parts used here are the same in both; private fields make the two types incompatible.
  ['6', () => new OpenAI6({ baseURL: `${svc.baseUrl}/v1`, apiKey: svc.apiKey }) as unknown as OpenAI],
  ['7', () => openAiClient(svc)],
])('the official OpenAI client %s, with nothing changed but its address and key', (_, connect) => {
  const create = (more: Partial<OpenAI.EmbeddingCreateParams>) =>
    connect().embeddings.create({ model: embeddingModel, input: 'Hello', ...more });

  it.each<[string, OpenAI.EmbeddingCreateParams['input'], number, number]>([
    ['a text', 'Hello there', 1, 3],
    ['texts', ['Hello', 'there', 'again'], 3, 6],
    ['tokens', [11, 12, 13], 1, 3],
    ['lists of tokens', [[11, 12], [13]], 2, 3],
  ])('gets a vector for each input: %s', async (_name, input, count, tokens) => {
    const answer = await create({ input });
    expect(answer.object).toBe('list');
    expect(answer.model).toBe(embeddingModel);
    expect(answer.data.map(({ index }) => index)).toEqual(Array.from({ length: count }, (_one, at) => at));
    for (const { embedding } of answer.data) expect(embedding).toHaveLength(DIMENSIONS);
    expect(answer.usage).toEqual({ prompt_tokens: tokens, total_tokens: tokens });
    expect(svcOf(answer)).toMatchObject({
      provider: 'first-chat',
      cost: { customer_nanos: charge(tokens), state: 'final' },
    });
  });

  it('gets the same numbers in its default format, base64, as in floats', async () => {
    const byDefault = await create({});
    const floats = await create({ encoding_format: 'float' });
    expect(byDefault.data[0]!.embedding).toEqual(floats.data[0]!.embedding);
  });

  it('gets as many dimensions as it asks for', async () => {
    const { data } = await create({ dimensions: 256 });
    expect(data[0]!.embedding).toHaveLength(256);
  });

  it('throws its typed errors', async () => {
    const statusOf = (calling: Promise<unknown>) =>
      calling.then(
        () => 200,
        (error: unknown) => (error as { status?: number }).status,
      );
    expect(await statusOf(create({ model: 'none/such' }))).toBe(404);
    expect(await statusOf(create({ model: testModel }))).toBe(422);
    expect(await statusOf(create({ input: [] }))).toBe(400);
  });
});

describe('an embeddings answer', () => {
  it.each(['float', 'base64'])(
    'has the vectors in %s byte for byte as the provider wrote them',
    async (format) => {
      const body = { input: ['one', 'two'], encoding_format: format, dimensions: 64 };
      const direct = await fetch(`${svc.simulator.url}${ROUTE}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, model: UPSTREAM_MODEL }),
      });
      const response = await send(body);
      expect(dataOf(await response.text())).toBe(dataOf(await direct.text()));
    },
  );

  it('of 2,048 inputs in base64 is whole', async () => {
    const input = Array.from({ length: 2048 }, (_, at) => `text ${String(at)}`);
    const response = await send({ input, encoding_format: 'base64' });
    const { data } = (await response.json()) as { data: { embedding: string }[] };
    expect(data).toHaveLength(2048);
    expect(Buffer.from(data.at(-1)!.embedding, 'base64')).toHaveLength(DIMENSIONS * 4);
  });

  it('is replayed byte for byte, and charged once', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = await send({}, headers);
    const text = await first.text();
    const replay = await send({}, headers);
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(await replay.text()).toBe(text);
    const id = first.headers.get('x-request-id')!;
    expect(replay.headers.get('x-request-id')).toBe(id);
    expect((await audit.charges()).get(id)).toHaveLength(1);
    expect(await svc.simulator.journal()).toHaveLength(1);
  });

  it('comes from the next endpoint of the same model when the first fails', async () => {
    const answer = await (
      await send({ input: directedText({ only_model: UPSTREAM_MODEL, status: 500 }) })
    ).json();
    const { attempts, cost, provider } = svcOf(answer);
    expect([provider, attempts.map(({ status }) => status)]).toEqual(['second-chat', [500, 200]]);
    const { usage } = answer as OpenAI.CreateEmbeddingResponse;
    expect(cost.customer_nanos).toBe(charge(usage.prompt_tokens, 1));
  });
});

describe('a wallet', () => {
  it('that can pay for 20 of 60 concurrent calls lets exactly 20 run: the hold of tokens is their price', async () => {
    const price = BigInt(charge(1000));
    const poor = await svc.withOtherOrganization(21n * price - 1n);
    const call = { model: embeddingModel, input: Array.from({ length: 1000 }, (_, at) => at) };
    const responses = await Promise.all(Array.from({ length: 60 }, () => post(poor, ROUTE, call)));
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 402)).toHaveLength(40);
    expect(await svc.simulator.journal()).toHaveLength(20);
    const books = await openLedgerAudit(poor);
    expect(await books.books()).toMatchObject({
      balanceNanos: price - 1n,
      heldNanos: 0n,
      chargedNanos: 20n * price,
      allEntriesNanos: 0n,
    });
    await books.close();
  });
});

describe('a caller of embeddings that disconnects', () => {
  it('cancels the provider’s call, and nothing stays held', async () => {
    const input = directedText({ delay_ms: 20_000 });
    const leaving = send({ input }, {}, { signal: AbortSignal.timeout(700) });
    await expect(leaving).rejects.toThrow();
    await eventually(async () => {
      expect(await svc.simulator.journal()).toMatchObject([{ outcome: 'interrupted' }]);
      expect((await audit.books()).heldNanos).toBe(0n);
    });
    expect((await audit.calls()).at(-1)).toMatchObject({ customerNanos: 0n });
  });
});

describe('a model on the route of another', () => {
  it.each([
    [ROUTE, { model: testModel, input: 'Hi' }, '/v1/chat/completions'],
    ['/v1/chat/completions', { model: embeddingModel, messages: [{ role: 'user', content: 'Hi' }] }, ROUTE],
  ])('is 422 on %s, and the message names the right one', async (route, body, right) => {
    const response = await post(svc, route, body);
    const { error } = (await response.json()) as ErrorBody;
    expect([response.status, error.code, error.param]).toEqual([422, 'operation_unsupported', 'model']);
    expect(error.message).toContain(right);
  });
});
