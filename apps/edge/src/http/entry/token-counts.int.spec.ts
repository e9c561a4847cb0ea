import { type PolicyDocument } from '@svc/policy';
import { eventually } from '@svc/testing';
import { answersJson, errorOf } from '../../testing/answers';
import { type EdgeOptions, MODEL, PRICES } from '../../testing/edge-under-test';
import { edgeWorld } from '../../testing/edge-world';

const world = edgeWorld();

/** `acme/claude` is served natively, and by translation for less; `acme/chat` by translation only. */
const catalog = (): string => {
  const provider = { base_url: `${world.upstream.url}/v1` };
  const endpoint = {
    upstream_model: 'claude-1',
    region: 'eu',
    data_retention: 'zero',
    prices: PRICES,
    timeout_ms: { first_byte: 2_000, idle: 2_000 },
  };
  return JSON.stringify({
    providers: [
      { ...provider, name: 'translated', protocol: 'openai' },
      { ...provider, name: 'native', protocol: 'anthropic', credential_env: 'NATIVE_KEY' },
    ],
    models: ['acme/claude', 'acme/chat', 'acme/chat-only'].map((id) => ({ ...MODEL, id, display_name: id })),
    endpoints: [
      { ...endpoint, model: 'acme/claude', provider: 'translated', prices: { input: 1, output: 1 } },
      { ...endpoint, model: 'acme/claude', provider: 'native' },
      { ...endpoint, model: 'acme/chat', provider: 'translated' },
      {
        ...endpoint,
        model: 'acme/chat-only',
        provider: 'translated',
        operations: ['chat_completions'],
      },
    ],
  });
};
const start = async (options: Partial<EdgeOptions> = {}, policy?: Partial<PolicyDocument>): Promise<void> => {
  const environment = { NATIVE_KEY: 'sk-of-the-platform' };
  await world.start({ catalog: catalog(), environment, ...options });
  if (policy !== undefined) await world.writePolicy(policy);
};

const PATH = '/v1/messages/count_tokens';
const PROMPT = { model: 'acme/claude', messages: [{ role: 'user', content: 'Hello' }] };
/** Tokens of a word, and of the format around a message. */
const COUNTED_HERE = { input_tokens: 8 };
const count = (body: object = PROMPT, headers: Record<string, string> = {}, path = PATH) =>
  world.edge.post(path, body, { headers });
const providerAnswers = (status: number, body: unknown): void => {
  world.upstream.next(answersJson(body, status));
};

describe('counting the tokens of a prompt', () => {
  it.each([PATH, `/v1${PATH}`])('at %s is left to a provider that speaks messages', async (path) => {
    await start();
    providerAnswers(200, { input_tokens: 14 });
    const response = await count({ ...PROMPT, compat_mode: 'strict', temperature: 1 }, {}, path);
    expect([response.status, await response.json()]).toEqual([200, { input_tokens: 14 }]);
    expect(response.headers.get('request-id')).toBe(response.headers.get('x-request-id'));
    const [asked] = world.upstream.received;
    expect(asked).toMatchObject({ method: 'POST', path: PATH });
    expect(asked!.headers).toMatchObject({ 'x-api-key': 'sk-of-the-platform' });
    expect(JSON.parse(asked!.body.toString())).toEqual({ ...PROMPT, model: 'claude-1' });
  });

  it.each<[string, () => void]>([
    [
      'fails',
      () => {
        providerAnswers(500, {});
      },
    ],
    [
      'refuses',
      () => {
        providerAnswers(400, { error: { message: 'no' } });
      },
    ],
    [
      'does not know the route',
      () => {
        providerAnswers(404, {});
      },
    ],
    [
      'answers something else',
      () => {
        providerAnswers(200, { tokens: 14 });
      },
    ],
    [
      'answers without end',
      () => {
        providerAnswers(200, { input_tokens: 14, more: 'x'.repeat(100_000) });
      },
    ],
    [
      'hangs up',
      () => {
        world.upstream.next((incoming) => void incoming.socket.destroy());
      },
    ],
    [
      'is silent',
      () => {
        world.upstream.next(() => undefined);
      },
    ],
  ])('is done here where that provider %s', async (_, provider) => {
    await start();
    provider();
    expect(await (await count()).json()).toEqual(COUNTED_HERE);
    expect(world.upstream.received).toHaveLength(1);
  });

  it('is done by the gateway when no such provider serves the model, or none may', async () => {
    await start({}, { denied_providers: ['native'] });
    for (const model of ['acme/chat', 'acme/claude']) {
      expect(await (await count({ ...PROMPT, model })).json()).toEqual(COUNTED_HERE);
    }
  });

  it('is done by the gateway while the provider’s circuit is open', async () => {
    await start({}, { denied_providers: ['translated'] });
    for (let failures = 0; failures < 5; failures++) {
      providerAnswers(500, {});
      await world.edge.post('/v1/messages', { ...PROMPT, max_tokens: 5 });
    }
    expect(await (await count()).json()).toEqual(COUNTED_HERE);
  });

  it.each([401, 403])(
    'is done here where that provider answers %s, and tells whose credential it was',
    async (status) => {
      await start();
      await world.storeCredential('native', 'cred_1', 'sk-of-our-own');
      providerAnswers(status, {});
      expect(await (await count()).json()).toEqual(COUNTED_HERE);
      expect(world.upstream.received[0]!.headers).toMatchObject({ 'x-api-key': 'sk-of-our-own' });
      const { payload } = await world.database.prisma.outboxEvent.findFirstOrThrow({
        where: { type: 'credential.auth_failed' },
      });
      expect(JSON.parse(payload)).toMatchObject({
        data: { credential_id: 'cred_1', provider: 'native', status },
      });
    },
  );

  it('goes on here, without asking again, once that provider refused the credential', async () => {
    await start();
    await world.storeCredential('native', 'cred_1', 'sk-of-our-own');
    providerAnswers(401, {});
    for (let again = 0; again < 3; again++) expect(await (await count()).json()).toEqual(COUNTED_HERE);
    expect(world.upstream.received).toHaveLength(1);
  });

  it('is aborted when its caller disconnects', async () => {
    await start();
    const leaving = new AbortController();
    world.upstream.next(() => {
      leaving.abort();
    });
    await expect(world.edge.post(PATH, PROMPT, { signal: leaving.signal })).rejects.toThrow('aborted');
    expect(await world.upstream.received[0]!.answered).toBe(false);
  });

  it('costs nothing: no bucket, no wallet, no record', async () => {
    await start({ key: { rpm: 1 }, creditNanos: 0n });
    for (let again = 0; again < 3; again++) {
      const response = await count({ ...PROMPT, model: 'acme/chat' });
      expect(response.status).toBe(200);
      expect(response.headers.has('x-ratelimit-limit')).toBe(false);
    }
    expect(await world.database.prisma.requestRecord.count()).toBe(0);
  });

  it('works with Anthropic’s client, at either base URL', async () => {
    await start();
    const { Anthropic } = await import('@anthropic-ai/sdk');
    for (const baseURL of [world.edge.url, `${world.edge.url}/v1`]) {
      const client = new Anthropic({ apiKey: world.edge.apiKey, baseURL, maxRetries: 0 });
      const prompt = { model: 'acme/chat', messages: [{ role: 'user' as const, content: 'Hello' }] };
      expect(await client.messages.countTokens(prompt)).toMatchObject(COUNTED_HERE);
    }
  });
});

describe('a prompt that is not counted', () => {
  it('is refused in the order of an inference call', async () => {
    await start({}, { denied_models: ['acme/chat'] });
    const project = { 'Compat-Project': 'proj_unknown' };
    const bad = { model: 'no/such', messages: 'none' };
    expect(await errorOf(await count(bad, { ...project, 'x-api-key': 'svc_sk_wrong-one' }))).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
    expect(await errorOf(await count(bad, project))).toMatchObject({ status: 404, param: 'Compat-Project' });
    expect(await errorOf(await count(bad))).toMatchObject({ status: 400, param: 'messages' });
    for (const model of ['no/such', 'acme/chat']) {
      const refusal = { status: 404, code: 'not_found', param: 'model' };
      expect(await errorOf(await count({ ...PROMPT, model }))).toEqual(refusal);
    }
    expect(await errorOf(await count({ ...PROMPT, model: 'acme/chat-only' }))).toMatchObject({
      status: 422,
      code: 'operation_unsupported',
    });
  });

  it('is refused to an organization that has its share of counts in flight, with a retry time', async () => {
    await start();
    const answers: (() => void)[] = [];
    for (let under = 0; under < 64; under++) {
      world.upstream.next((_, response) => {
        answers.push(() => void response.end('{"input_tokens":14}'));
      });
    }
    const counting = Array.from({ length: 64 }, () => count());
    await eventually(() => {
      expect(answers).toHaveLength(64);
    });
    const refused = await count();
    expect(refused.headers.get('x-should-retry')).toBe('true');
    expect(await errorOf(refused)).toMatchObject({ status: 503, code: 'overloaded' });
    for (const answer of answers) answer();
    for (const counted of await Promise.all(counting)) expect(counted.status).toBe(200);
    providerAnswers(200, { input_tokens: 14 });
    expect((await count()).status).toBe(200);
  });

  it('may not come with an output limit, as at Anthropic', async () => {
    await start();
    expect(await errorOf(await count({ ...PROMPT, max_tokens: 5 }))).toEqual({
      status: 400,
      code: 'unsupported_parameter',
      param: 'max_tokens',
    });
  });

  it('is refused for a key without the scope', async () => {
    await start({ key: { scopes: ['usage:read'] } });
    expect(await errorOf(await count())).toMatchObject({ status: 403, code: 'permission_denied' });
  });
});
