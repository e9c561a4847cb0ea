import { eventually, freePort } from '@svc/testing';
import OpenAI from 'openai';
import { anthropicClient, directed, openAiClient, post, svcOf, type ErrorBody } from './harness/clients';
import { catalogOf, testModel } from './harness/catalog-file';
import { endedWell, framesOf } from './harness/stream-frames';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';

const ROUTES = ['/v1/chat/completions', '/v1/messages'] as const;
const FIRST = 'first-model';
const SECOND = 'second-model';
const timeoutMs = { first_byte: 700, idle: 700 };

let conversations = 0;
/** Each begins a conversation of its own: none returns to where an earlier one was answered. */
const call = (directive: Record<string, unknown>, more: object = {}) => ({
  model: testModel,
  max_tokens: 100,
  messages: [directed(directive, `Hello ${String(++conversations)}`)],
  ...more,
});

describe('a call with two planned attempts', () => {
  let svc: SharedSvc;

  beforeAll(async () => {
    svc = await sharedSvc({
      catalog: (url) =>
        catalogOf(
          { name: 'first', url, region: 'eu', timeoutMs },
          { name: 'second', url, region: 'us', timeoutMs },
        ),
    });
  });
  // A success of each endpoint resets its failures, so that no test opens a circuit for the next.
  beforeEach(async () => {
    for (const route of ROUTES) {
      expect((await post(svc, route, call({ only_model: FIRST, status: 429 }))).status).toBe(200);
      expect((await post(svc, route, call({}))).status).toBe(200);
    }
    await svc.simulator.clearJournal();
  });

  /** Expects the called upstream models; the journal records an aborted call a moment later. */
  const expectCalled = (...models: string[]) =>
    eventually(async () => {
      expect((await svc.simulator.journal()).map(({ model }) => model)).toEqual(models);
    });

  describe.each(ROUTES)('on %s', (route) => {
    it.each([
      ['answers 500', { status: 500 }],
      ['answers 503', { status: 503 }],
      ['answers 529', { status: 529 }],
      ['is rate-limited', { status: 429, headers: { 'retry-after': '3' } }],
      ['answers 408', { status: 408 }],
      ['refuses the platform’s credential', { status: 401 }],
      ['forbids it', { status: 403 }],
      ['sends no byte in time', { delay_ms: 3000 }],
      ['answers 200 with something else than its protocol', { malformed: true }],
    ])('goes on to the second when the first %s', async (_, directive) => {
      for (const stream of [false, true]) {
        await svc.simulator.clearJournal();
        const response = await post(svc, route, call({ only_model: FIRST, ...directive }, { stream }));
        expect(response.status).toBe(200);
        const text = await response.text();
        const frames = stream ? framesOf(text) : [JSON.parse(text) as Record<string, unknown>];
        const { attempts, provider } = svcOf(frames.findLast((frame) => 'svc' in frame));
        expect(attempts.map(({ region }) => region)).toEqual(['eu', 'us']);
        expect(attempts[1]?.status).toBe(200);
        expect(attempts[0]?.status).not.toBe(200);
        expect(provider).toMatch(/^second-/);
        expect(text).toContain(`"${testModel}"`);
        expect(text).not.toMatch(/first-model|second-model/);
        if (stream) expect(endedWell(text)).toBe(true);
      }
    });

    it.each([400, 404, 413, 422])(
      'is the caller’s mistake when the provider answers %i: no second attempt',
      async (status) => {
        const response = await post(
          svc,
          route,
          call({ status, error_message: 'Your prompt is too long for me.' }),
        );
        const { error } = (await response.json()) as ErrorBody;
        expect(response.status).toBe(400);
        expect(error).toMatchObject({
          type: 'invalid_request',
          code: `provider_http_${String(status)}`,
          retriable: false,
        });
        expect(error.message).toContain('Your prompt is too long for me.');
        await expectCalled(FIRST);
      },
    );

    it('answers 429 with Retry-After when every attempt is rate-limited', async () => {
      const response = await post(svc, route, call({ status: 429, headers: { 'retry-after': '7' } }));
      const { error } = (await response.json()) as ErrorBody;
      expect(response.status).toBe(429);
      expect(error).toMatchObject({ type: 'rate_limit', code: 'provider_rate_limit', retriable: true });
      expect(response.headers.get('retry-after')).toBe('7');
      await expectCalled(FIRST, SECOND);
    });

    it.each([
      [502, 'provider_error', { status: 500 }],
      [502, 'provider_error', { status: 401 }],
      [502, 'provider_error', { malformed: true }],
      [503, 'overloaded', { status: 503 }],
      [503, 'overloaded', { delay_ms: 3000 }],
    ])('answers %i %s when every attempt fails with %j', async (status, code, directive) => {
      const response = await post(svc, route, call(directive));
      const { error } = (await response.json()) as ErrorBody;
      expect(response.status).toBe(status);
      expect(error).toMatchObject({ code, retriable: true });
      expect(response.headers.get('x-should-retry')).toBe('true');
      await expectCalled(FIRST, SECOND);
    });

    it.each([
      ['is cut', { cut_after: 6 }],
      ['ends without its terminator', { end_after: 6 }],
      ['falls silent', { stall_after: 6 }],
      ['sends an error', { error_after: 6 }],
    ])('ends with an error frame, never cleanly, when a stream that has begun %s', async (_, directive) => {
      const response = await post(svc, route, call({ reply_words: 40, ...directive }, { stream: true }));
      expect(response.status).toBe(200);
      const text = await response.text();
      expect(endedWell(text)).toBe(false);
      const last = framesOf(text).at(-1) as unknown as ErrorBody;
      expect(last.error).toMatchObject({ retriable: true, request_id: response.headers.get('x-request-id') });
      expect(text).not.toContain('[DONE]');
      if (route === '/v1/messages') expect(text).toContain('event: error\n');
      await expectCalled(FIRST);
    });
  });

  it('raises in both SDKs when a stream is cut', async () => {
    const cut = call({ reply_words: 40, cut_after: 6 });
    const chat = openAiClient(svc)
      .chat.completions.stream({ ...cut, stream: true })
      .finalChatCompletion();
    await expect(chat).rejects.toBeInstanceOf(OpenAI.APIError);
    const message = anthropicClient(svc).messages.stream(cut).finalMessage();
    await expect(message).rejects.toMatchObject({ error: { type: 'error' } });
  });

  it('skips an endpoint after five failures in a row', async () => {
    const failing = () => call({ only_model: FIRST, status: 500 });
    for (let failures = 0; failures < 5; failures++) await post(svc, ROUTES[0], failing());
    await svc.simulator.clearJournal();
    const response = await post(svc, ROUTES[0], failing());
    expect(svcOf(await response.json()).attempts.map(({ region }) => region)).toEqual(['us']);
    await expectCalled(SECOND);
  });
});

describe('a call whose first endpoint', () => {
  it('cannot be reached goes on to the second', async () => {
    const dead = `http://127.0.0.1:${String(await freePort())}`;
    const svc = await sharedSvc({
      catalog: (url) =>
        catalogOf({ name: 'dead', url: dead, region: 'eu' }, { name: 'alive', url, region: 'us' }),
    });
    for (const route of ROUTES) {
      const response = await post(svc, route, call({}));
      expect(response.status).toBe(200);
      expect(svcOf(await response.json()).attempts.map(({ region }) => region)).toEqual(['eu', 'us']);
    }
  });
});
