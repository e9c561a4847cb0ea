import { eventually, type ScriptedAnswer } from '@svc/testing';
import { answersJson, completes } from '../testing/answers';
import { CHAT, MODEL, PRICES, type EdgeOptions } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';
import { NotedLimiter } from '../testing/noted-limiter';

const world = edgeWorld();
const CACHING = MODEL.id;
const UNCACHED = 'acme/uncached';
const EMBEDDING = 'acme/embed';
const SECRETS = ['sk-one', 'sk-two', 'sk-three'];
const CHEAPER_CACHE = { ...PRICES, cached_input: 1 };

/** At `acme`, which takes a credential; `acme/small` also at `other`, which takes none and is dearer. */
const catalog = (): string => {
  const endpoint = { region: 'eu', data_retention: 'zero', provider: 'acme', prices: CHEAPER_CACHE };
  const provider = { protocol: 'openai', base_url: `${world.upstream.url}/v1` };
  const models = [CACHING, UNCACHED, EMBEDDING].map((id) => ({ ...MODEL, id, display_name: id }));
  return JSON.stringify({
    providers: [
      { ...provider, name: 'acme', credential_env: 'ACME_KEY' },
      { ...provider, name: 'other' },
    ],
    models: models.map(({ max_output_tokens: max, ...model }) =>
      model.id === EMBEDDING ? model : { ...model, max_output_tokens: max },
    ),
    endpoints: [
      { ...endpoint, model: CACHING, upstream_model: 'small' },
      {
        ...endpoint,
        model: CACHING,
        upstream_model: 'dear',
        provider: 'other',
        prices: { ...CHEAPER_CACHE, input: 20 },
      },
      { ...endpoint, model: UNCACHED, upstream_model: 'uncached', prices: PRICES },
      { ...endpoint, model: EMBEDDING, upstream_model: 'embed', operations: ['embeddings'] },
    ],
  });
};

let limiter: NotedLimiter;
async function start(options: Partial<EdgeOptions> = {}, secrets = SECRETS): Promise<void> {
  limiter = new NotedLimiter();
  await world.start({ catalog: catalog(), limiter, ...options });
  for (const secret of secrets) await world.storeCredential('acme', secret.replace('sk-', 'cred_'), secret);
}

/** Answers each credential by itself, for as long as the spec runs. */
let said: Record<string, ScriptedAnswer>;
beforeEach(() => {
  said = {};
});
const secretOf = (headers: NodeJS.Dict<string | string[]>): string =>
  String(headers['authorization'] ?? '').replace('Bearer ', '');

interface Turn {
  readonly body?: object;
  readonly headers?: Record<string, string>;
  readonly model?: string;
  readonly path?: string;
}

/** Makes a call. @returns the credential that answered it, empty for the other provider. */
async function turn({ body = {}, headers = {}, model = CACHING, path = 'chat/completions' }: Turn = {}) {
  for (let attempt = 0; attempt < 5; attempt++)
    world.upstream.next((incoming, response) =>
      (said[secretOf(incoming.headers)] ?? completes())(incoming, response),
    );
  const before = world.upstream.received.length;
  const answer = await world.edge.post(`/v1/${path}`, { ...CHAT, model, ...body }, { headers });
  expect(answer.status).toBe(200);
  await answer.text();
  const [last] = world.upstream.received.slice(before).slice(-1);
  return secretOf(last!.headers);
}
const session = (id: string, more: Turn = {}): Turn => ({
  ...more,
  headers: { 'svc-session-id': id, ...more.headers },
});
const turns = async (count: number, asked: (nth: number) => Turn): Promise<string[]> => {
  const secrets: string[] = [];
  for (let nth = 0; nth < count; nth++) secrets.push(await turn(asked(nth)));
  return secrets;
};

interface Placed {
  readonly credential_id: string | null;
  readonly placed_by: string | null;
  readonly status: number;
}
async function attemptsOfLast(): Promise<readonly Placed[]> {
  const [record] = await world.database.prisma.requestRecord.findMany({ orderBy: { id: 'desc' }, take: 1 });
  const unsaid = { credential_id: null, placed_by: null };
  return (record!.attempts as unknown as Placed[]).map((attempt) => ({ ...unsaid, ...attempt }));
}

describe('the turns of a conversation', () => {
  const text = (content: string) => ({ messages: [{ role: 'user', content }] });
  const claudeCode = (id: string) => JSON.stringify({ device_id: 'd', account_uuid: 'a', session_id: id });

  it.each<[string, (id: string, nth: number) => Turn]>([
    ['a session header', (id) => session(id)],
    ['an agent’s session header', (id) => ({ headers: { 'x-claude-code-session-id': id } })],
    ['prompt_cache_key', (id) => ({ body: { prompt_cache_key: id } })],
    ['Claude Code’s metadata.user_id', (id) => ({ body: { metadata: { user_id: claudeCode(id) } } })],
    [
      'the first message',
      (id, nth) => ({
        body: { messages: [{ role: 'user', content: id }, ...text(`turn ${String(nth)}`).messages] },
      }),
    ],
  ])('go to one credential, and conversations to several: by %s', async (_, asked) => {
    await start();
    const used = new Set<string>();
    for (let id = 0; id < 12; id++) {
      const secrets = new Set(await turns(3, (nth) => asked(`conversation-${String(id)}`, nth)));
      expect(secrets.size).toBe(1);
      for (const secret of secrets) used.add(secret);
    }
    // Which one is by a hash of a random id: of twelve, hardly ever are all at one.
    expect(used.size).toBeGreaterThan(1);
  });

  it('are recorded with the credential and what placed them, but for the first', async () => {
    await start();
    const secret = await turn(session('a'));
    const credential_id = secret.replace('sk-', 'cred_');
    expect(await attemptsOfLast()).toMatchObject([{ credential_id, placed_by: null }]);
    await turn(session('a'));
    expect(await attemptsOfLast()).toMatchObject([{ credential_id, placed_by: 'affinity' }]);
  });

  it('go on in the same call where the credential is refused, and stay where they were answered', async () => {
    await start();
    const first = await turn(session('a'));
    said[first] = answersJson({ error: { message: 'no' } }, 403);
    const second = await turn(session('a'));
    expect(second).not.toBe(first);
    expect(await attemptsOfLast()).toMatchObject([
      { status: 403, placed_by: 'affinity' },
      { status: 200, placed_by: null },
    ]);
    said = {};
    // The first one takes calls again.
    await world.database.prisma.providerCredential.updateMany({ data: { healthEpoch: { increment: 1 } } });
    await eventually(async () => {
      const fresh = await turns(10, (nth) => session(`fresh-${String(nth)}-${String(Math.random())}`));
      expect(fresh).toContain(first);
    });
    expect(await turn(session('a'))).toBe(second);
    expect(await attemptsOfLast()).toMatchObject([{ status: 200, placed_by: 'affinity' }]);
  });

  it('stay at a dearer endpoint that answered instead of the cheapest', async () => {
    await start({ environment: { ACME_KEY: 'sk-platform' } }, []);
    said['sk-platform'] = (_, response) =>
      void response
        .writeHead(429, { 'retry-after': '1' })
        .end(JSON.stringify({ error: { message: 'Wait.' } }));
    expect(await turn(session('a'))).toBe('');
    said = {};
    await eventually(async () => expect(await turn(session(String(Math.random())))).toBe('sk-platform'));
    expect(await turn(session('a'))).toBe('');
    expect(await attemptsOfLast()).toMatchObject([{ credential_id: null, placed_by: 'affinity' }]);
  });

  it('are of each agent of a session apart', async () => {
    await start();
    const agent = (nth: number) =>
      session('a', { headers: { 'x-claude-code-agent-id': `agent-${String(nth)}` } });
    expect(new Set(await turns(30, agent)).size).toBe(SECRETS.length);
    expect(new Set(await turns(3, () => agent(1))).size).toBe(1);
  });

  it('stay together where the body becomes a large one', async () => {
    await start();
    const opening = [{ role: 'user', content: 'How does this begin?' }];
    const grown = [...opening, { role: 'assistant', content: 'x'.repeat(300 * 1024) }, ...opening];
    const first = await turn({ body: { messages: opening } });
    await turn({ body: { messages: grown } });
    const [attempt] = await attemptsOfLast();
    expect(attempt).toMatchObject({ credential_id: first.replace('sk-', 'cred_'), placed_by: 'affinity' });
  });

  it('are remembered once a stream has ended', async () => {
    await start();
    const chunk = (choice: object) =>
      `data: ${JSON.stringify({ id: 'c', model: 'm', choices: [{ index: 0, ...choice }] })}\n\n`;
    const stream =
      chunk({ delta: { role: 'assistant', content: 'Hi' } }) +
      chunk({ delta: {}, finish_reason: 'stop' }) +
      'data: [DONE]\n\n';
    for (const secret of SECRETS)
      said[secret] = (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream);
    await turn(session('a', { body: { stream: true } }));
    expect(limiter.kept).toHaveLength(1);
    await turn(session('a', { body: { stream: true } }));
    expect(await attemptsOfLast()).toMatchObject([{ placed_by: 'affinity' }]);
  });
});

describe('without affinity', () => {
  const spread = async (asked: Turn) => new Set(await turns(25, () => asked));

  it('the calls of a session share the credentials: where the policy says off', async () => {
    await start();
    await world.writePolicy({ affinity: 'off' });
    expect((await spread(session('a'))).size).toBe(SECRETS.length);
    expect(await attemptsOfLast()).toMatchObject([{ placed_by: null }]);
    expect([limiter.kept, limiter.read.filter((name) => name !== null)]).toEqual([[], []]);
  });

  it('and where the endpoint’s cache is not cheaper, unless the policy says always', async () => {
    await start();
    expect((await spread(session('a', { model: UNCACHED }))).size).toBe(SECRETS.length);
    expect(limiter.kept).toEqual([]);
  });

  it('with always they return to any endpoint', async () => {
    await start();
    await world.writePolicy({ affinity: 'always' });
    expect((await spread(session('a', { model: UNCACHED }))).size).toBe(1);
  });

  it('and embeddings have none', async () => {
    await start();
    const embeds = answersJson({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: [0.25] }],
      model: 'embed',
      usage: { prompt_tokens: 1, total_tokens: 1 },
    });
    for (const secret of SECRETS) said[secret] = embeds;
    const secrets = new Set<string>();
    for (let nth = 0; nth < 25; nth++) {
      world.upstream.next(embeds);
      const headers = { 'svc-session-id': 'a' };
      const answer = await world.edge.post('/v1/embeddings', { model: EMBEDDING, input: 'Hi' }, { headers });
      expect(answer.status).toBe(200);
      await answer.text();
      secrets.add(secretOf(world.upstream.received.at(-1)!.headers));
    }
    expect(secrets.size).toBe(SECRETS.length);
    expect([limiter.kept, limiter.read.filter((name) => name !== null)]).toEqual([[], []]);
  });
});

describe('a model without a choice', () => {
  it('has nothing hashed, read or kept', async () => {
    await start({}, ['sk-one']);
    await world.writePolicy({ affinity: 'always', denied_providers: ['other'] });
    await turns(2, () => session('a'));
    expect([limiter.kept, limiter.read]).toEqual([[], [null, null]]);
  });
});

describe('what is kept of a conversation', () => {
  it('names neither the session nor anything of the prompt', async () => {
    await start();
    await turn(session('planted-session', { body: { prompt_cache_key: 'planted-key' } }));
    await turn({ body: { messages: [{ role: 'user', content: 'planted-prompt' }] } });
    expect(limiter.kept).toHaveLength(2);
    expect(JSON.stringify([limiter.kept, limiter.read])).not.toContain('planted');
  });
});
