import OpenAI from 'openai';
import { type ErrorBody } from './harness/clients';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const ORIGIN = 'https://app.example';
const call = { model: 'simulator/echo', messages: [{ role: 'user' as const, content: 'Hello' }] };

describe('over HTTP', () => {
  let svc: SharedSvc;
  beforeAll(async () => {
    svc = await sharedSvc();
  });

  it.each([
    ['GET', '/v1/chat/completions', 'POST'],
    ['PUT', '/v1/models', 'GET, HEAD'],
    ['PUT', '/api/v1/keys', 'GET, HEAD, POST'],
    ['PUT', '/api/v1/keys/key_1', 'DELETE, GET, HEAD, PATCH'],
    ['DELETE', '/auth/oauth/authorize', 'GET, HEAD, POST'],
  ])('%s %s is 405 with the methods that the path takes', async (method, path, allow) => {
    const response = await fetch(svc.baseUrl + path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
    expect(((await response.json()) as ErrorBody).error.code).toBe('method_not_allowed');
  });

  it('a client whose base URL lacks /v1 is told the right path', async () => {
    const client = new OpenAI({ baseURL: svc.baseUrl, apiKey: svc.apiKey });
    const error = await client.chat.completions.create(call).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect((error as Error).message).toContain('/v1/chat/completions');
  });

  describe('a page of another origin', () => {
    /** As a browser does it: asks first, and refuses what was not allowed. */
    const browserFetch: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      const names = [...request.headers.keys()].filter((name) => name !== 'accept' && name !== 'user-agent');
      const preflight = await fetch(request.url, {
        method: 'OPTIONS',
        headers: {
          origin: ORIGIN,
          'access-control-request-method': request.method,
          'access-control-request-headers': names.join(','),
        },
      });
      expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*']);
      const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ');
      expect(names.filter((name) => !allowed.includes(name))).toEqual([]);
      expect(preflight.headers.get('access-control-allow-methods')).toContain(request.method);
      request.headers.set('origin', ORIGIN);
      const response = await fetch(request);
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      return response;
    };

    it('calls by the OpenAI client, plain and streamed', async () => {
      const client = new OpenAI({
        baseURL: `${svc.baseUrl}/v1`,
        apiKey: svc.apiKey,
        dangerouslyAllowBrowser: true,
        fetch: browserFetch,
      });
      const { data, response } = await client.chat.completions.create(call).withResponse();
      expect(data.choices).toHaveLength(1);
      expect(response.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining');
      let text = '';
      for await (const chunk of await client.chat.completions.create({ ...call, stream: true })) {
        text += chunk.choices[0]?.delta.content ?? '';
      }
      expect(text).not.toBe('');
    });

    it('gets nothing of the management API and the login', async () => {
      for (const path of ['/api/v1/keys', '/auth/login']) {
        const response = await fetch(svc.baseUrl + path, { headers: { origin: ORIGIN } });
        expect(response.headers.get('access-control-allow-origin')).toBeNull();
      }
    });
  });
});
