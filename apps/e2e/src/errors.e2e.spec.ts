import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { anthropicClient, directed, openAiClient, post, type ErrorBody } from './harness/clients';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const ask = {
  model: 'simulator/echo',
  max_tokens: 50,
  messages: [{ role: 'user' as const, content: 'Hello' }],
};
const WRONG_KEY = 'svc_sk_0000000000000000000000000000000000000000000';

describe('errors', () => {
  let svc: SharedSvc;
  beforeAll(async () => {
    svc = await sharedSvc();
  });

  describe('raise the OpenAI client’s own classes:', () => {
    const raised = (call: Promise<unknown>) =>
      call.then(
        () => null,
        (error: unknown) => error as InstanceType<typeof OpenAI.APIError>,
      );

    it('AuthenticationError for a wrong key', async () => {
      const error = await raised(openAiClient(svc, WRONG_KEY).chat.completions.create(ask));
      expect(error).toBeInstanceOf(OpenAI.AuthenticationError);
      expect(error).toMatchObject({ status: 401, code: 'invalid_api_key', type: 'authentication' });
      expect(error?.requestID).toMatch(/^req_/);
      expect(error?.error).toMatchObject({ request_id: error?.requestID, retriable: false });
    });

    it('NotFoundError for an unknown model, without hints', async () => {
      const error = await raised(openAiClient(svc).chat.completions.create({ ...ask, model: 'acme/none' }));
      expect(error).toBeInstanceOf(OpenAI.NotFoundError);
      expect(error).toMatchObject({ status: 404, code: 'not_found', param: 'model' });
    });

    it('NotFoundError with the same message for a model whose provider has no credential', async () => {
      const [unknown, unavailable] = await Promise.all(
        ['acme/none', 'anthropic/claude-fable-5'].map((model) =>
          raised(openAiClient(svc).chat.completions.create({ ...ask, model })),
        ),
      );
      expect(unavailable?.message.replaceAll('anthropic/claude-fable-5', '')).toBe(
        unknown?.message.replaceAll('acme/none', ''),
      );
    });

    it('BadRequestError for a malformed body, naming the field', async () => {
      const messages = [{ role: 'nobody', content: 'x' }] as never;
      const error = await raised(openAiClient(svc).chat.completions.create({ ...ask, messages }));
      expect(error).toBeInstanceOf(OpenAI.BadRequestError);
      expect(error).toMatchObject({ code: 'invalid_request', param: 'messages[0].role' });
    });

    it('NotFoundError for an unknown project, PermissionDeniedError for another organization', async () => {
      const withProject = new OpenAI({
        baseURL: `${svc.baseUrl}/v1`,
        apiKey: svc.apiKey,
        project: 'proj_none',
      });
      expect(await raised(withProject.chat.completions.create(ask))).toBeInstanceOf(OpenAI.NotFoundError);
      const withOrganization = new OpenAI({
        baseURL: `${svc.baseUrl}/v1`,
        apiKey: svc.apiKey,
        organization: 'org_none',
      });
      expect(await raised(withOrganization.chat.completions.create(ask))).toBeInstanceOf(
        OpenAI.PermissionDeniedError,
      );
    });

    it('its own project and organization are accepted', async () => {
      const named = new OpenAI({
        baseURL: `${svc.baseUrl}/v1`,
        apiKey: svc.apiKey,
        project: svc.projectId,
        organization: svc.organizationId,
      });
      await expect(named.chat.completions.create(ask)).resolves.toMatchObject({ model: ask.model });
    });
  });

  describe('raise the Anthropic client’s own classes:', () => {
    const raised = (call: Promise<unknown>) =>
      call.then(
        () => null,
        (error: unknown) => error as InstanceType<typeof Anthropic.APIError>,
      );

    it('AuthenticationError for a wrong key', async () => {
      const error = await raised(anthropicClient(svc, WRONG_KEY).messages.create(ask));
      expect(error).toBeInstanceOf(Anthropic.AuthenticationError);
      expect(error?.requestID).toMatch(/^req_/);
      expect(error?.error).toMatchObject({
        type: 'error',
        request_id: error?.requestID,
        error: { code: 'invalid_api_key', request_id: error?.requestID },
      });
    });

    it('NotFoundError for an unknown model', async () => {
      const error = await raised(anthropicClient(svc).messages.create({ ...ask, model: 'acme/none' }));
      expect(error).toBeInstanceOf(Anthropic.NotFoundError);
      expect(error?.type).toBe('not_found');
    });

    it('BadRequestError for a malformed body, naming the field', async () => {
      const error = await raised(
        anthropicClient(svc).messages.create({ ...ask, max_tokens: 'many' as never }),
      );
      expect(error).toBeInstanceOf(Anthropic.BadRequestError);
      expect(error?.error).toMatchObject({ error: { code: 'invalid_request', param: 'max_tokens' } });
    });

    it('BadRequestError without max_tokens, which that protocol requires', async () => {
      const response = await post(svc, '/v1/messages', { model: ask.model, messages: ask.messages });
      expect(response.status).toBe(400);
      expect(((await response.json()) as ErrorBody).error.param).toBe('max_tokens');
    });

    it('InternalServerError when the provider fails on every planned attempt', async () => {
      const failing = { ...ask, messages: [directed({ status: 500 })] };
      const error = await raised(anthropicClient(svc).messages.create(failing, { maxRetries: 0 }));
      expect(error).toBeInstanceOf(Anthropic.InternalServerError);
      expect(error).toMatchObject({
        status: 502,
        error: { error: { code: 'provider_error', retriable: true } },
      });
    });
  });

  it('answer every kind of key failure identically', async () => {
    const failures: Record<string, string>[] = [
      {},
      { authorization: 'Bearer ' },
      { authorization: 'Bearer nonsense' },
      { authorization: `Basic ${btoa('user:password')}` },
      { authorization: `Bearer ${WRONG_KEY}` },
      { authorization: `Bearer ${svc.apiKey}x` },
      { authorization: `Bearer ${svc.apiKey.slice(0, -1)}` },
      { 'x-api-key': WRONG_KEY },
      { 'x-api-key': 'svc_sk_' },
    ];
    const answers = await Promise.all(
      failures.map(async (headers) => {
        const response = await fetch(`${svc.baseUrl}/v1/chat/completions`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(ask),
        });
        const { error } = (await response.json()) as ErrorBody;
        return { status: response.status, error: { ...error, request_id: '' } };
      }),
    );
    expect(answers[0]).toMatchObject({
      status: 401,
      error: { type: 'authentication', code: 'invalid_api_key' },
    });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  it('check the credential before the body', async () => {
    const response = await fetch(`${svc.baseUrl}/v1/chat/completions`, { method: 'POST', body: '{broken' });
    expect(response.status).toBe(401);
  });

  it('tell SDKs whether to retry, and carry the request id in header and body', async () => {
    const cases = [
      { path: '/v1/chat/completions', body: '{', status: 400, retry: 'false' },
      { path: '/v1/messages', body: '{', status: 400, retry: 'false' },
      { path: '/v1/chat/completions', body: { ...ask, model: 'none' }, status: 404, retry: 'false' },
      {
        path: '/v1/messages',
        body: { ...ask, messages: [directed({ status: 500 })] },
        status: 502,
        retry: 'true',
      },
    ];
    for (const { path, body, status, retry } of cases) {
      const response = await post(svc, path, body);
      const envelope = (await response.json()) as ErrorBody;
      expect([path, response.status]).toEqual([path, status]);
      expect(response.headers.get('x-should-retry')).toBe(retry);
      expect(String(envelope.error.retriable)).toBe(retry);
      expect(response.headers.get('x-request-id')).toBe(envelope.error.request_id);
      expect(response.headers.has('retry-after')).toBe(false);
      if (path === '/v1/messages') {
        expect(envelope).toMatchObject({ type: 'error', request_id: envelope.error.request_id });
        expect(response.headers.get('request-id')).toBe(envelope.error.request_id);
      }
    }
  });

  it.each([
    ['GET', '/'],
    ['GET', '/v1'],
    ['POST', '/v1/completions'],
    ['GET', '/v1/models/%ff'],
    ['GET', '/v1/models/none/such/model'],
  ])('answer %s %s, which does not exist, with the envelope', async (method, path) => {
    const response = await fetch(svc.baseUrl + path, { method, headers: { 'x-api-key': svc.apiKey } });
    const { error } = (await response.json()) as ErrorBody;
    expect(response.status).toBe(404);
    expect(error).toMatchObject({ type: 'not_found', code: 'not_found', retriable: false });
    expect(response.headers.get('x-request-id')).toBe(error.request_id);
  });
});
