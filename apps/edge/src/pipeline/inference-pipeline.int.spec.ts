import { once } from 'node:events';
import { connect } from 'node:net';
import { completes, errorOf } from '../testing/answers';
import { CHAT } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const world = edgeWorld();

const post = (body: object = CHAT, headers: Record<string, string> = {}, path = '/v1/chat/completions') =>
  world.edge.post(path, body, { headers });
const answers = (): void => {
  world.upstream.next(completes());
};
const recordCount = () => world.database.prisma.requestRecord.count();

describe('a call without a valid key', () => {
  it('is answered before its body is read', async () => {
    await world.start();
    const { hostname, port } = new URL(world.edge.url);
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
    await world.start();
    const refused = async (headers: Record<string, string>) => {
      const response = await fetch(`${world.edge.url}/v1/chat/completions`, {
        method: 'POST',
        headers,
        body: '{',
      });
      const { error } = (await response.json()) as { error: { request_id: string } };
      return { status: response.status, ...error, request_id: error.request_id.slice(0, 4) };
    };
    const missing = await refused({});
    await world.database.prisma.apiKey.updateMany({ data: { state: 'revoked' } });
    expect(missing).toMatchObject({ status: 401, code: 'invalid_api_key', type: 'authentication' });
    expect(await refused({ authorization: 'Basic abc' })).toEqual(missing);
    expect(await refused({ 'x-api-key': 'svc_sk_nobody-has-this-one' })).toEqual(missing);
    expect(await refused({ 'x-api-key': world.edge.apiKey })).toEqual(missing);
  });
});

describe('the checks of a call', () => {
  it('come in the order of the reference: each call fails at its first', async () => {
    await world.start({ key: { rpm: 1 } });
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
    // Neither took from the bucket, which holds one call; nor does a call that is refused at a later step.
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

  it('refuse a key without the scope before any other check', async () => {
    await world.start({ key: { scopes: ['usage:read'] } });
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
    await world.start({ key: { rpm: 1 }, creditNanos: 100n });
    for (let call = 0; call < 3; call++) {
      const response = await post(body, {}, path);
      expect(await errorOf(response)).toMatchObject(refusal);
      expect(response.headers.get('x-ratelimit-limit')).toBe('1');
    }
    expect(await recordCount()).toBe(0);
    expect(await world.database.prisma.wallet.findFirstOrThrow()).toMatchObject({
      balanceNanos: 100n,
      heldNanos: 0n,
    });
    await world.database.prisma.wallet.updateMany({ data: { balanceNanos: 1_000_000n } });
    answers();
    expect((await post()).status).toBe(200);
    expect((await post()).status).toBe(429);
  });

  it('by the provider returns nothing: that call was made', async () => {
    await world.start({ key: { rpm: 1 } });
    world.upstream.next((_, response) => void response.writeHead(400).end('{"error":{"message":"no"}}'));
    expect(await errorOf(await post())).toMatchObject({ status: 400, code: 'provider_http_400' });
    expect((await post()).status).toBe(429);
  });
});

describe('a call that the buckets refuse', () => {
  it('costs nothing, leaves no record, and says when to retry', async () => {
    await world.start({ key: { rpm: 1 } });
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
    await world.start();
    const { id } = await world.database.prisma.project.findFirstOrThrow();
    answers();
    await (await post(CHAT, { 'Compat-Project': id })).text();
    expect(await world.database.prisma.requestRecord.findFirstOrThrow()).toMatchObject({ projectId: id });
  });
});
