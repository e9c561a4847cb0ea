import { Accounts } from './accounts';

const message = (role: string, content: unknown) => ({ role, content });
const text = (words: string) => words.repeat(10);
const FIRST = [message('system', text('Help. ')), message('user', text('Hello? '))];
const SECOND = [...FIRST, message('assistant', 'Yes.'), message('user', text('And now? '))];

const call = (body: object, credential = 'sk-a', model = 'm') => ({ model, credential, body: { ...body } });

describe('the prompt cache of an account', () => {
  const cached = (accounts: Accounts, asked: ReturnType<typeof call>, nowMs = 0) => {
    const { cached_tokens: read, cache_write_tokens: written } = accounts.directed(
      { prompt_cache: true },
      asked,
      nowMs,
    );
    return [read, written];
  };

  it('has what the account sent before, message by message', () => {
    const accounts = new Accounts();
    const [, whole] = cached(accounts, call({ messages: FIRST }));
    expect(whole).toBe(Math.ceil((60 + 70) / 4));
    expect(cached(accounts, call({ messages: FIRST }))).toEqual([whole, 0]);
    const [read, written] = cached(accounts, call({ messages: SECOND }));
    expect([read, written! > 0]).toEqual([whole, true]);
  });

  it('is of one credential and one model', () => {
    const accounts = new Accounts();
    cached(accounts, call({ messages: FIRST }));
    expect(cached(accounts, call({ messages: FIRST }, 'sk-b'))[0]).toBe(0);
    expect(cached(accounts, call({ messages: FIRST }, 'sk-a', 'other'))[0]).toBe(0);
  });

  it('reads messages and responses as it reads chat completions', () => {
    for (const [first, second] of [
      [
        { system: 'Help.', messages: FIRST.slice(1) },
        { system: 'Help.', messages: SECOND.slice(1) },
      ],
      [
        { instructions: 'Help.', input: [message('user', [{ type: 'input_text', text: text('Hi ') }])] },
        {
          instructions: 'Help.',
          input: [message('user', [{ type: 'input_text', text: text('Hi ') }]), ...FIRST],
        },
      ],
    ] as const) {
      const accounts = new Accounts();
      const [, written] = cached(accounts, call(first));
      expect(cached(accounts, call(second))[0]).toBe(written);
    }
  });

  it('forgets after ten minutes without a use', () => {
    const accounts = new Accounts();
    const [, whole] = cached(accounts, call({ messages: FIRST }), 0);
    expect(cached(accounts, call({ messages: FIRST }), 599_999)[0]).toBe(whole);
    expect(cached(accounts, call({ messages: FIRST }), 1_199_998)[0]).toBe(whole);
    expect(cached(accounts, call({ messages: FIRST }), 1_799_998)[0]).toBe(0);
  });

  it('is used only where the directive says so, and not by a refused call', () => {
    const accounts = new Accounts();
    expect(accounts.directed({}, call({ messages: FIRST }), 0)).toEqual({});
    accounts.directed({ prompt_cache: true, status: 429 }, call({ messages: FIRST }), 0);
    expect(cached(accounts, call({ messages: FIRST }))[0]).toBe(0);
  });
});

describe('the requests per minute of an account', () => {
  const limited = (accounts: Accounts, credential: string, nowMs: number) =>
    accounts.directed({ requests_per_minute: 2 }, call({}, credential), nowMs);

  it('are counted by credential, told in the headers of both protocols, and refused beyond', () => {
    const accounts = new Accounts();
    expect(limited(accounts, 'sk-a', 0)).toMatchObject({
      headers: {
        'x-ratelimit-limit-requests': '2',
        'x-ratelimit-remaining-requests': '1',
        'anthropic-ratelimit-requests-remaining': '1',
        'anthropic-ratelimit-requests-reset': '1970-01-01T00:01:00.000Z',
      },
    });
    expect(limited(accounts, 'sk-a', 30_000).status).toBeUndefined();
    expect(limited(accounts, 'sk-a', 40_000)).toMatchObject({
      status: 429,
      headers: {
        'retry-after': '20',
        'x-ratelimit-remaining-requests': '0',
        'x-ratelimit-reset-requests': '20s',
      },
    });
    expect(limited(accounts, 'sk-b', 40_000).status).toBeUndefined();
    expect(limited(accounts, 'sk-a', 60_000).status).toBeUndefined();
  });
});
