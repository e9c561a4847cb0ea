import { type PolicyDocument } from '@svc/inference';
import { openTestDatabase, type TestDatabase } from '@svc/persistence/testing';
import { ScriptedUpstream } from '@svc/testing';
import { type EdgeOptions, type EdgeUnderTest, MODEL, PRICES, startEdge } from '../testing/edge-under-test';

jest.setTimeout(60_000);

let test: TestDatabase;
let upstream: ScriptedUpstream;
let edge: EdgeUnderTest;
beforeEach(async () => {
  test = await openTestDatabase();
  upstream = await ScriptedUpstream.start();
});
afterEach(async () => {
  // Whatever is counted here, no provider hears of: a call that came unscripted fails the test here.
  await upstream.close();
  await edge.close();
  await test.close();
});

/** `acme/claude` is served natively, and by translation for less; `acme/chat` by translation only. */
const catalog = (): string => {
  const provider = { base_url: `${upstream.url}/v1` };
  const endpoint = {
    upstream_model: 'claude-1',
    region: 'eu',
    data_retention: 'zero',
    prices: PRICES,
    timeout_ms: { first_byte: 500, idle: 500 },
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
  edge = await startEdge({
    database: test.database,
    upstreamUrls: [],
    catalog: catalog(),
    environment,
    ...options,
  });
  if (policy === undefined) return;
  await test.database.prisma.policyVersion.create({
    data: { id: 'pol_1', organizationId: edge.organizationId, version: 1, document: policy },
  });
};

const PATH = '/v1/messages/count_tokens';
const PROMPT = { model: 'acme/claude', messages: [{ role: 'user', content: 'Hello' }] };
/** A word, and what stands around a message. */
const COUNTED_HERE = { input_tokens: 8 };
const count = (body: object = PROMPT, headers: Record<string, string> = {}, path = PATH) =>
  edge.post(path, body, { headers });
const providerAnswers = (status: number, body: unknown): void => {
  upstream.next((_, response) => void response.writeHead(status).end(JSON.stringify(body)));
};
const errorOf = async (response: Response): Promise<unknown> => {
  const { error } = (await response.json()) as { error: Record<string, unknown> };
  return { status: response.status, code: error['code'], param: error['param'] };
};

describe('counting the tokens of a prompt', () => {
  it.each([PATH, `/v1${PATH}`])('at %s is left to a provider that speaks messages', async (path) => {
    await start();
    providerAnswers(200, { input_tokens: 14 });
    const response = await count({ ...PROMPT, compat_mode: 'strict', temperature: 1 }, {}, path);
    expect([response.status, await response.json()]).toEqual([200, { input_tokens: 14 }]);
    expect(response.headers.get('request-id')).toBe(response.headers.get('x-request-id'));
    const [asked] = upstream.received;
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
        upstream.next((incoming) => void incoming.socket.destroy());
      },
    ],
    [
      'is silent',
      () => {
        upstream.next(() => undefined);
      },
    ],
  ])('is done here where that provider %s', async (_, provider) => {
    await start();
    provider();
    expect(await (await count()).json()).toEqual(COUNTED_HERE);
    expect(upstream.received).toHaveLength(1);
  });

  it('is done here where no such provider serves the model, or may', async () => {
    await start({}, { denied_providers: ['native'] });
    for (const model of ['acme/chat', 'acme/claude']) {
      expect(await (await count({ ...PROMPT, model })).json()).toEqual(COUNTED_HERE);
    }
  });

  it('is done here while the provider’s circuit is open', async () => {
    await start({}, { denied_providers: ['translated'] });
    for (let failures = 0; failures < 5; failures++) {
      providerAnswers(500, {});
      await edge.post('/v1/messages', { ...PROMPT, max_tokens: 5 });
    }
    expect(await (await count()).json()).toEqual(COUNTED_HERE);
  });

  it('is given up when its caller leaves', async () => {
    await start();
    const leaving = new AbortController();
    upstream.next(() => {
      leaving.abort();
    });
    await expect(edge.post(PATH, PROMPT, { signal: leaving.signal })).rejects.toThrow('aborted');
    expect(await upstream.received[0]!.answered).toBe(false);
  });

  it('costs nothing: no bucket, no wallet, no record', async () => {
    await start({ key: { rpm: 1 }, creditNanos: 0n });
    for (let again = 0; again < 3; again++) {
      const response = await count({ ...PROMPT, model: 'acme/chat' });
      expect(response.status).toBe(200);
      expect(response.headers.has('x-ratelimit-limit')).toBe(false);
    }
    expect(await test.database.prisma.requestRecord.count()).toBe(0);
  });

  it('is what Anthropic’s client gets, at either address', async () => {
    await start();
    const { Anthropic } = await import('@anthropic-ai/sdk');
    for (const baseURL of [edge.url, `${edge.url}/v1`]) {
      const client = new Anthropic({ apiKey: edge.apiKey, baseURL, maxRetries: 0 });
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
