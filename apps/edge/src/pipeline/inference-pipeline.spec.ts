import { once } from 'node:events';
import { connect } from 'node:net';
import { openTestDatabase, type TestDatabase } from '@svc/persistence/testing';
import { ScriptedUpstream } from '@svc/testing';
import { startEdge, type EdgeOptions, type EdgeUnderTest } from '../testing/edge-under-test';

jest.setTimeout(60_000);

let test: TestDatabase;
let upstream: ScriptedUpstream;
let edge: EdgeUnderTest;
beforeEach(async () => {
  test = await openTestDatabase();
  upstream = await ScriptedUpstream.start();
});
afterEach(async () => {
  // Whatever is refused, no provider hears of: a call that came unscripted fails the test here.
  await upstream.close();
  await edge.close();
  await test.close();
});
const start = async (options: Partial<EdgeOptions> = {}): Promise<void> => {
  edge = await startEdge({ database: test.database, upstreamUrls: [upstream.url], ...options });
};

const CHAT = { model: 'acme/small', max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] };
const post = (body: object = CHAT, headers: Record<string, string> = {}, path = '/v1/chat/completions') =>
  edge.post(path, body, { headers });
const errorOf = async (response: Response): Promise<unknown> => {
  const { error } = (await response.json()) as { error: Record<string, unknown> };
  return { status: response.status, code: error['code'], param: error['param'] };
};
const answers = (): void => {
  upstream.next((_, response) => {
    const choice = { index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' };
    const usage = { prompt_tokens: 1, completion_tokens: 1 };
    response.end(JSON.stringify({ model: 'small-1', choices: [choice], usage }));
  });
};
const recordCount = () => test.database.prisma.requestRecord.count();

describe('a call without a key that counts', () => {
  it('is answered before its body is read', async () => {
    await start();
    const { hostname, port } = new URL(edge.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      'POST /v1/chat/completions HTTP/1.1\r\nhost: svc\r\nauthorization: Bearer svc_sk_nobody-has-this-one\r\n' +
        'content-type: application/json\r\ncontent-length: 1000000000\r\n\r\n{"model":',
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('is answered alike for every reason', async () => {
    await start();
    const refused = async (headers: Record<string, string>) => {
      const response = await fetch(`${edge.url}/v1/chat/completions`, { method: 'POST', headers, body: '{' });
      const { error } = (await response.json()) as { error: { request_id: string } };
      return { status: response.status, ...error, request_id: error.request_id.slice(0, 4) };
    };
    const missing = await refused({});
    await test.database.prisma.apiKey.updateMany({ data: { state: 'revoked' } });
    expect(missing).toMatchObject({ status: 401, code: 'invalid_api_key', type: 'authentication' });
    expect(await refused({ authorization: 'Basic abc' })).toEqual(missing);
    expect(await refused({ 'x-api-key': 'svc_sk_nobody-has-this-one' })).toEqual(missing);
    expect(await refused({ 'x-api-key': edge.apiKey })).toEqual(missing);
  });
});

describe('the checks of a call', () => {
  it('come in the order of the contract: each call fails at its first', async () => {
    await start({ key: { rpm: 1 } });
    const bad = { model: 'no/such', messages: 'none' };
    const project = { 'Compat-Project': 'proj_unknown' };
    expect(await errorOf(await post(bad, { ...project, 'x-api-key': 'svc_sk_wrong-one' }))).toMatchObject({
      status: 401,
    });
    expect(await errorOf(await post(bad, project))).toEqual({
      status: 404,
      code: 'not_found',
      param: 'Compat-Project',
    });
    expect(await errorOf(await post(bad))).toMatchObject({ status: 400, param: 'messages' });
    // Neither took of the bucket, which holds one call; nor does one that is refused at a later step.
    expect(await errorOf(await post({ ...CHAT, model: 'no/such' }))).toEqual({
      status: 404,
      code: 'not_found',
      param: 'model',
    });
    answers();
    expect((await post()).status).toBe(200);
    expect(await errorOf(await post({ ...CHAT, model: 'no/such' }))).toEqual({
      status: 429,
      code: 'rate_limit',
      param: 'requests',
    });
  });

  it('refuse a key without the scope before they look at anything else', async () => {
    await start({ key: { scopes: ['usage:read'] } });
    expect(await errorOf(await post({}))).toMatchObject({ status: 403, code: 'permission_denied' });
  });
});

describe('a refusal after the buckets were drawn on', () => {
  it.each<[string, object, string, object]>([
    ['step 6, an unknown model', { ...CHAT, model: 'no/such' }, '/v1/chat/completions', { status: 404 }],
    [
      'step 6, a route that does not serve the model',
      CHAT,
      '/v1/messages',
      { code: 'operation_unsupported' },
    ],
    ['step 8, an empty wallet', CHAT, '/v1/chat/completions', { status: 402, code: 'insufficient_funds' }],
  ])('at %s gives them back and leaves no record', async (_, body, path, refusal) => {
    await start({ key: { rpm: 1 }, creditNanos: 100n });
    for (let call = 0; call < 3; call++) {
      const response = await post(body, {}, path);
      expect(await errorOf(response)).toMatchObject(refusal);
      expect(response.headers.get('x-ratelimit-limit')).toBe('1');
    }
    expect(await recordCount()).toBe(0);
    expect(await test.database.prisma.wallet.findFirstOrThrow()).toMatchObject({
      balanceNanos: 100n,
      heldNanos: 0n,
    });
    await test.database.prisma.wallet.updateMany({ data: { balanceNanos: 1_000_000n } });
    answers();
    expect((await post()).status).toBe(200);
    expect((await post()).status).toBe(429);
  });

  it('at the provider does not: that call was made', async () => {
    await start({ key: { rpm: 1 } });
    upstream.next((_, response) => void response.writeHead(400).end('{"error":{"message":"no"}}'));
    expect(await errorOf(await post())).toMatchObject({ status: 400, code: 'provider_http_400' });
    expect((await post()).status).toBe(429);
  });
});

describe('a call that the buckets refuse', () => {
  it('costs nothing, leaves no record, and says when to come again', async () => {
    await start({ key: { rpm: 1 } });
    answers();
    await (await post()).text();
    const response = await post();
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'retry-after': '60',
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '60',
      'x-ratelimit-scope': 'key',
    });
    expect(await errorOf(response)).toMatchObject({ status: 429, code: 'rate_limit' });
    expect(await recordCount()).toBe(1);
  });
});

describe('a call to a project', () => {
  it('is booked on the project that its header names', async () => {
    await start();
    const { id } = await test.database.prisma.project.findFirstOrThrow();
    answers();
    await (await post(CHAT, { 'Compat-Project': id })).text();
    expect(await test.database.prisma.requestRecord.findFirstOrThrow()).toMatchObject({ projectId: id });
  });
});
