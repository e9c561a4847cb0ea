import { completes, errorOf } from '../testing/answers';
import { PRICES } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const OUTPUT_MAX = 50;
const TEXT = 'The harbour had been quiet since the last ferry left, and Anna counted the lights. '.repeat(
  500,
);
/** By OpenAI's tokenizer, with the format around a message. */
const PROMPT_TOKENS = 8_508;
const nanosFor = (promptTokens: number): bigint =>
  BigInt(promptTokens * PRICES.input + OUTPUT_MAX * PRICES.output);
const ONE_TOKEN_A_BYTE = nanosFor(TEXT.length);
const AS_COUNTED = nanosFor(PROMPT_TOKENS * 1.5);

const world = edgeWorld();

const chat = (content: unknown = TEXT, more: object = { max_tokens: OUTPUT_MAX }) =>
  world.edge.post('/v1/chat/completions', {
    model: 'acme/small',
    messages: [{ role: 'user', content }],
    ...more,
  });
const answersWith = (promptTokens: number): void => {
  world.upstream.next(completes(promptTokens, OUTPUT_MAX));
};
const codeOf = async (response: Response): Promise<string> => (await errorOf(response)).code;
const wallet = () => world.database.prisma.wallet.findFirstOrThrow();
const record = () => world.database.prisma.requestRecord.findFirstOrThrow();

describe('a call that can be paid for by its counted prompt, but not at one token a byte', () => {
  it('is served from the wallet, and charged for what it used', async () => {
    await world.start({ creditNanos: AS_COUNTED });
    answersWith(PROMPT_TOKENS);
    expect((await chat()).status).toBe(200);
    const cost = nanosFor(PROMPT_TOKENS);
    expect(await wallet()).toMatchObject({ balanceNanos: AS_COUNTED - cost, heldNanos: 0n });
    expect((await record()).heldNanos).toBeLessThanOrEqual(AS_COUNTED);
  });

  it('is served within a blocking budget, with the warning for the final hold', async () => {
    await world.start({ creditNanos: ONE_TOKEN_A_BYTE * 10n });
    await world.addBudget(AS_COUNTED);
    answersWith(PROMPT_TOKENS);
    const response = await chat();
    expect(response.status).toBe(200);
    expect(Number(response.headers.get('svc-budget-warning'))).toBeGreaterThan(9_900);
    expect(Number(response.headers.get('svc-budget-warning'))).toBeLessThanOrEqual(10_000);
  });

  it('is never charged more than was held, whatever its provider counts', async () => {
    await world.start({ creditNanos: AS_COUNTED });
    answersWith(TEXT.length);
    expect((await chat()).status).toBe(200);
    const { heldNanos } = await record();
    expect(await wallet()).toMatchObject({ balanceNanos: AS_COUNTED - heldNanos!, heldNanos: 0n });
    expect(AS_COUNTED - heldNanos!).toBeGreaterThanOrEqual(0n);
    expect(await world.database.prisma.requestRecord.count()).toBe(1);
  });

  it('without a limit of its own leaves the rest of the wallet to the answer, and its provider is sent that limit', async () => {
    const room = 4_200;
    await world.start({ creditNanos: AS_COUNTED + BigInt((room - OUTPUT_MAX) * PRICES.output) });
    answersWith(PROMPT_TOKENS);
    expect((await chat(TEXT, {})).status).toBe(200);
    const told = JSON.parse(world.upstream.received[0]!.body.toString()) as { max_completion_tokens: number };
    expect(told.max_completion_tokens).toBeGreaterThanOrEqual(4_096);
    expect(told.max_completion_tokens).toBeLessThanOrEqual(room + 10);
  });
});

describe('a call that cannot be paid for by its counted prompt', () => {
  it('is refused, and leaves nothing behind', async () => {
    await world.start({ creditNanos: nanosFor(PROMPT_TOKENS) });
    expect(await codeOf(await chat())).toBe('insufficient_funds');
    await world.addBudget(nanosFor(PROMPT_TOKENS));
    expect(await codeOf(await chat())).toBe('budget_exceeded');
    expect(await wallet()).toMatchObject({ balanceNanos: nanosFor(PROMPT_TOKENS), heldNanos: 0n });
    expect(await world.database.prisma.requestRecord.count()).toBe(0);
  });

  it('is refused where media are in it: a short URL may stand for many tokens', async () => {
    await world.start({ creditNanos: ONE_TOKEN_A_BYTE });
    const image = { type: 'image_url', image_url: { url: 'https://images.example/a.png' } };
    expect(await codeOf(await chat([image]))).toBe('insufficient_funds');
  });
});
