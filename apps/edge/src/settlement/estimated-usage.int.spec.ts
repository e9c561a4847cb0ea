import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { eventually, readSse } from '@svc/testing';
import { answersJson, completion } from '../testing/answers';
import { catalogOf, CHAT, MODEL, PRICES } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const world = edgeWorld();

/** The edge with one endpoint that reports no usage. */
async function start(creditNanos = 1_000_000_000n): Promise<void> {
  const catalog = JSON.parse(catalogOf([world.upstream.url])) as { endpoints: object[] };
  const endpoints = catalog.endpoints.map((endpoint) => ({
    ...endpoint,
    operations: ['chat_completions', 'messages'],
    usage: 'estimated',
  }));
  await world.start({ creditNanos, catalog: JSON.stringify({ ...catalog, endpoints }) });
  // The tokenizer is loaded for the first count, which may take longer than an answer waits.
  await eventually(async () => {
    const response = await world.edge.post('/v1/messages/count_tokens', {
      model: MODEL.id,
      messages: CHAT.messages,
    });
    expect(await response.json()).toEqual({ input_tokens: INPUT });
  }, 30_000);
}

const INPUT = countTokens('Hi') + 4 + 3;
const chat = (more: object = {}) => world.edge.post('/v1/chat/completions', { ...CHAT, ...more });
const onlyRecord = () => world.database.prisma.requestRecord.findFirstOrThrow();
const reconciliations = () =>
  world.database.prisma.outboxEvent.count({ where: { type: 'request.reconciliation_required' } });
const overruns = () => world.database.prisma.ledgerTransfer.count({ where: { kind: 'overrun' } });

describe('an endpoint with estimated usage', () => {
  it('is charged finally, and no event asks finance to look', async () => {
    await start();
    world.upstream.next(answersJson(completion(undefined, 'Hello there')));
    const output = countTokens('Hello there');
    expect(await (await chat()).json()).toMatchObject({
      usage: { prompt_tokens: INPUT, completion_tokens: output },
      svc: { cost: { customer_nanos: INPUT * PRICES.input + output * PRICES.output, state: 'final' } },
    });
    expect(await onlyRecord()).toMatchObject({ status: 'succeeded', outputTokens: output });
    expect(await reconciliations()).toBe(0);
  });

  it('is charged no more than the hold when its upstream ignored the limit, and that is no overrun', async () => {
    const credit = BigInt(4_200 * PRICES.output);
    await start(credit);
    world.upstream.next(answersJson(completion(undefined, 'word '.repeat(6_000))));
    const { max_tokens: _, ...unlimited } = CHAT;
    const response = await world.edge.post('/v1/chat/completions', unlimited);
    expect(await response.json()).toMatchObject({
      svc: { cost: { customer_nanos: Number(credit), state: 'final' } },
    });
    expect(await onlyRecord()).toMatchObject({
      status: 'succeeded',
      customerNanos: credit,
      heldNanos: credit,
    });
    expect(await overruns()).toBe(0);
    expect(await reconciliations()).toBe(0);
  });

  it('is charged provisionally for a stream that its provider breaks off', async () => {
    await start();
    const text = 'Hello there, and how are you?';
    const chunk = { model: 'small-1', choices: [{ index: 0, delta: { content: text } }] };
    world.upstream.next((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify(chunk)}\n\n`);
    });
    expect((await readSse(await chat({ stream: true }))).at(-1)?.json).toMatchObject({
      error: { code: 'provider_error' },
    });
    expect(await onlyRecord()).toMatchObject({
      status: 'failed',
      costState: 'provisional',
      customerNanos: BigInt(INPUT * PRICES.input + countTokens(text) * PRICES.output),
    });
  });
});
