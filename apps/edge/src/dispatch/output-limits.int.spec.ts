import { answersJson, completion, message } from '../testing/answers';
import { catalogOfBoth, MODEL, PRICES } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

/** Of the model; without a limit a hold goes down to 4096. */
const MOST = MODEL.max_output_tokens;
const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';

const world = edgeWorld();

const answers = {
  chat: answersJson(completion({ prompt_tokens: 1, completion_tokens: 1 })),
  talk: answersJson(message({ input_tokens: 1, output_tokens: 1 })),
};

interface Limits {
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
}

/** Every limit in the body that the provider received. */
async function told(path: string, provider: 'chat' | 'talk', fields: object): Promise<Limits> {
  world.upstream.next(answers[provider]);
  const body = { model: `acme/${provider}`, messages: [{ role: 'user', content: 'Hi' }], ...fields };
  const response = await world.edge.post(path, body);
  expect(response.status).toBe(200);
  const sent = JSON.parse(String(world.upstream.received.at(-1)?.body)) as Limits & object;
  return Object.fromEntries(Object.entries(sent).filter(([name]) => name.startsWith('max_')));
}

describe('the output limit that a provider is sent', () => {
  it.each<[string, string, 'chat' | 'talk', object, Limits]>([
    ['on chat', CHAT, 'chat', { max_output_tokens: 10_000 }, { max_completion_tokens: MOST }],
    ['on chat, by its old name', CHAT, 'chat', { max_tokens: 10_000 }, { max_tokens: MOST }],
    [
      'of several choices',
      CHAT,
      'chat',
      { max_completion_tokens: 9_000, n: 3 },
      { max_completion_tokens: MOST },
    ],
    ['on messages', MESSAGES, 'talk', { max_tokens: 10_000 }, { max_tokens: MOST }],
    ['of a chat call put as messages', CHAT, 'talk', { max_tokens: 10_000 }, { max_tokens: MOST }],
    [
      'of messages put as a chat call',
      MESSAGES,
      'chat',
      { max_tokens: 10_000 },
      { max_completion_tokens: MOST },
    ],
  ])('is the model’s own where the caller’s is above it: %s', async (_, path, provider, fields, expected) => {
    await world.start({ catalog: catalogOfBoth(world.upstream.url) });
    expect(await told(path, provider, fields)).toEqual(expected);
  });

  it.each<[string, string, 'chat' | 'talk', object, Limits]>([
    ['a limit within the model’s', CHAT, 'chat', { max_tokens: 50 }, { max_tokens: 50 }],
    ['the model’s own', MESSAGES, 'talk', { max_tokens: MOST }, { max_tokens: MOST }],
    ['none, held for in full', CHAT, 'chat', {}, {}],
    ['no output at all', MESSAGES, 'talk', { max_tokens: 0 }, { max_tokens: 0 }],
  ])('is what the caller said: %s', async (_, path, provider, fields, expected) => {
    await world.start({ catalog: catalogOfBoth(world.upstream.url) });
    expect(await told(path, provider, fields)).toEqual(expected);
  });

  it.each<['chat' | 'talk', keyof Limits]>([
    ['chat', 'max_completion_tokens'],
    ['talk', 'max_tokens'],
  ])(
    'is what the hold pays for where the wallet has no more, at a provider of %s',
    async (provider, name) => {
      const creditNanos = BigInt(5_000 * PRICES.output);
      await world.start({ catalog: catalogOfBoth(world.upstream.url), creditNanos });
      const limit = (await told(CHAT, provider, {}))[name] ?? Infinity;
      expect(limit).toBeGreaterThanOrEqual(4_096);
      expect(limit * PRICES.output).toBeLessThanOrEqual(Number(creditNanos));
    },
  );

  it('is held for where a provider of chat completions generates a token that was not asked for', async () => {
    await world.start({ catalog: catalogOfBoth(world.upstream.url) });
    expect(await told(MESSAGES, 'chat', { max_tokens: 0 })).toEqual({ max_completion_tokens: 1 });
    const { balanceNanos } = await world.database.prisma.wallet.findFirstOrThrow();
    expect(1_000_000_000n - balanceNanos).toBe(BigInt(PRICES.input + PRICES.output));
  });
});
