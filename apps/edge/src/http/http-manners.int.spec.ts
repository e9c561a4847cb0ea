import { CHAT } from '../testing/edge-under-test';
import { edgeWorld } from '../testing/edge-world';

const world = edgeWorld();
const ORIGIN = { origin: 'https://app.example' };
const call = (method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(world.edge.url + path, { method, headers: { 'x-api-key': world.edge.apiKey, ...headers } });
const namesIn = (list: string | null) => (list ?? '').split(', ').map((name) => name.toLowerCase());

describe('a method that a path does not take', () => {
  it.each([
    ['GET', '/v1/chat/completions', 'POST'],
    ['GET', '/v1/messages?beta=true', 'POST'],
    ['PUT', '/v1/v1/messages/count_tokens', 'POST'],
    ['POST', '/v1/models', 'GET, HEAD'],
    ['DELETE', '/v1/models/acme/small', 'GET, HEAD'],
  ])('is 405 for %s %s, with those that it takes', async (method, path, allow) => {
    await world.start();
    const response = await call(method, path);
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
    const body = (await response.json()) as { type?: string; error: { code: string } };
    expect(body.error.code).toBe('method_not_allowed');
    expect(body.type).toBe(path.includes('messages') ? 'error' : undefined);
  });
});

describe('a base URL without /v1', () => {
  it.each([
    ['POST', '/chat/completions', '/v1/chat/completions'],
    ['POST', '/messages', '/v1/messages'],
    ['POST', '/messages/count_tokens', '/v1/messages/count_tokens'],
    ['POST', '/embeddings', '/v1/embeddings'],
    ['GET', '/models', '/v1/models'],
    ['GET', '/models/acme/small', '/v1/models'],
  ])('is 404 for %s %s, and the message names %s', async (method, path, right) => {
    await world.start();
    const response = await call(method, path);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain(`Use \`${right}\``);
  });

  it('is no matter of other paths', async () => {
    await world.start();
    expect(await (await call('GET', '/modelsx')).text()).not.toContain('Use ');
  });
});

describe('a page of another origin', () => {
  it('may call with a key: its preflight is 204', async () => {
    await world.start();
    const response = await call('OPTIONS', '/v1/chat/completions', {
      ...ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers':
        'authorization,x-stainless-lang,x-stainless-new,x-evil,x-stainless-a\tb',
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(namesIn(response.headers.get('access-control-allow-methods'))).toEqual(['post', 'options']);
    const allowed = namesIn(response.headers.get('access-control-allow-headers'));
    expect(allowed).toEqual(
      expect.arrayContaining([
        'authorization',
        'x-api-key',
        'content-type',
        'user-agent',
        'anthropic-dangerous-direct-browser-access',
        'idempotency-key',
        'x-stainless-lang',
        'x-stainless-new',
      ]),
    );
    expect(allowed).not.toContain('x-evil');
  });

  it('reads answers, errors and their headers', async () => {
    await world.start();
    const responses = [
      await call('GET', '/v1/models', ORIGIN),
      await world.edge.post('/v1/chat/completions', { ...CHAT, model: 'acme/none' }, { headers: ORIGIN }),
      await call('POST', '/v1/messages', { ...ORIGIN, 'x-api-key': 'wrong' }),
      await call('GET', '/v1/none', ORIGIN),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 404, 401, 404]);
    for (const { headers } of responses) {
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(namesIn(headers.get('access-control-expose-headers'))).toEqual(
        expect.arrayContaining(['x-request-id', 'retry-after', 'x-ratelimit-remaining']),
      );
      expect(headers.get('x-request-id')).toMatch(/^req_/);
    }
  });

  it('reads nothing beside /v1', async () => {
    await world.start();
    for (const path of ['/healthz', '/api/v1/keys', '/v1x']) {
      const headers = [await call('GET', path, ORIGIN), await call('OPTIONS', path, ORIGIN)].map((response) =>
        response.headers.get('access-control-allow-origin'),
      );
      expect(headers).toEqual([null, null]);
    }
  });
});

it('a call without an origin has no word of it', async () => {
  await world.start();
  const { headers } = await call('GET', '/v1/models');
  expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});
