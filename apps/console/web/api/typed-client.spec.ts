import { apiBelow } from './typed-client';

interface Paths {
  '/keys/{key_id}': { get: object; patch: object };
}

/** The request that was sent, and the answer to the caller. */
async function sent(
  path: string,
  init: object,
  method: 'get' | 'patch' | 'getVersioned' = 'get',
  answer = new Response('{"amount_nanos":9007199254740993}', { headers: { etag: '"7"' } }),
) {
  let call: Request | undefined;
  const api = apiBelow<Paths>('https://svc.example.com/api', (request) => {
    call = request;
    return Promise.resolve(answer);
  });
  const send = api[method] as unknown as (at: string, with_: object) => Promise<unknown>;
  const answered = await send(path, init);
  return { url: call?.url, method: call?.method, headers: call?.headers, body: await call?.text(), answered };
}

describe('a call of the API', () => {
  it('has its parameters in the path and the query, encoded, and several values with commas', async () => {
    const { url, method } = await sent('/keys/{key_id}', {
      params: {
        path: { key_id: 'acme/small?' },
        query: { q: 'a&b=c', ids: ['k 1', 'k,2'], limit: 50, none: undefined, nothing: null, no: false },
      },
    });
    expect(method).toBe('GET');
    expect(url).toBe(
      'https://svc.example.com/api/keys/acme%2Fsmall%3F?q=a%26b%3Dc&ids=k%201,k%2C2&limit=50&no=false',
    );
  });

  it('sends a body with every digit of an amount, and the headers that are given', async () => {
    const { method, body, headers } = await sent(
      '/keys/{key_id}',
      {
        params: { path: { key_id: 'key_1' }, header: { 'Idempotency-Key': 'k1', 'If-Match': undefined } },
        headers: { 'X-Other': '1' },
        body: { amount_nanos: 9_007_199_254_740_993n },
      },
      'patch',
    );
    expect(method).toBe('PATCH');
    expect(body).toBe('{"amount_nanos":9007199254740993}');
    expect([...(headers ?? [])]).toEqual(
      expect.arrayContaining([
        ['content-type', 'application/json'],
        ['idempotency-key', 'k1'],
        ['x-other', '1'],
      ]),
    );
    expect(headers?.has('if-match')).toBe(false);
  });

  it('answers data with exact amounts, and the version where it is asked for', async () => {
    expect((await sent('/keys/{key_id}', {})).answered).toEqual({ amount_nanos: 9_007_199_254_740_993n });
    expect((await sent('/keys/{key_id}', {}, 'getVersioned')).answered).toEqual({
      data: { amount_nanos: 9_007_199_254_740_993n },
      etag: '"7"',
    });
    expect(
      (await sent('/keys/{key_id}', {}, 'get', new Response(null, { status: 204 }))).answered,
    ).toBeUndefined();
  });
});
