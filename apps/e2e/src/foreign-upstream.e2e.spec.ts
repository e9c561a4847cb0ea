import { LLMock } from '@copilotkit/aimock';
import { eventually } from '@svc/testing';
import { catalogOf, testModel, testPrices } from './harness/catalog-file';
import { post, svcOf, type ErrorBody } from './harness/clients';
import { expectedCharge } from './harness/expected-charge';
import { openLedgerAudit, type LedgerAudit } from './harness/ledger-audit';
import { endedWell, framesOf } from './harness/stream-frames';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';
import { anthropic1 } from './matrix/anthropic-clients';
import { openAi7 } from './matrix/openai-clients';

type Fault = NonNullable<Parameters<LLMock['on']>[2]>;
type Response = Parameters<LLMock['on']>[1];

const clients = [openAi7, anthropic1];
const usage = { input: 40, output: 7 };
/** With the fields of both protocols: each reads its own. */
const reported = {
  usage: {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    input_tokens: usage.input,
    output_tokens: usage.output,
  },
};
const charge = expectedCharge({ ...usage, cachedInput: 0, cacheWrite: 0 }, testPrices);
const LONG_TEXT = 'A sentence of the foreign upstream. '.repeat(20);

describe('an upstream of a third party', () => {
  let foreign: LLMock;
  let svc: SharedSvc;
  let audit: LedgerAudit;
  let promptCount = 0;

  beforeAll(async () => {
    foreign = new LLMock({ port: 0, logLevel: 'silent' });
    const url = await foreign.start();
    svc = await sharedSvc({
      catalog: () =>
        catalogOf(
          { name: 'foreign-first', url, region: 'eu' },
          { name: 'foreign-second', url, region: 'us' },
        ),
    });
    audit = await openLedgerAudit(svc);
  });
  beforeEach(() => {
    foreign.clearFixtures();
    foreign.clearRequests();
  });
  afterAll(async () => {
    await audit.close();
    await foreign.stop();
  });

  /** Scripts the answer of each endpoint to a new prompt. */
  function prepare(first: { response?: Response; fault?: Fault }, second?: Response): string {
    const prompt = `Prompt number ${String(++promptCount)}.`;
    const said = { content: 'From the first', ...reported };
    foreign.on({ userMessage: prompt, model: 'foreign-first-model' }, first.response ?? said, first.fault);
    if (second) foreign.on({ userMessage: prompt, model: 'foreign-second-model' }, second);
    return prompt;
  }
  const call = (prompt: string, stream = false) => ({
    model: testModel,
    max_tokens: 500,
    messages: [{ role: 'user', content: prompt }],
    stream,
  });
  const modelsCalled = () =>
    foreign.getRequests().map(({ body }) => (body as { model?: string } | null)?.model);
  const recordOf = async (response: globalThis.Response) => {
    const id = response.headers.get('x-request-id');
    return (await audit.calls()).find((record) => record.id === id)!;
  };
  const outcomeOf = (text: string, stream: boolean) =>
    svcOf(
      stream
        ? framesOf(text).findLast((frame) => 'svc' in frame)
        : (JSON.parse(text) as Record<string, unknown>),
    );

  describe.each(clients)('on $route', ({ route, connect }) => {
    const client = () => connect({ baseUrl: svc.baseUrl, apiKey: svc.apiKey });
    // A success of each endpoint resets its failures, so that no test opens a circuit for the next.
    beforeEach(async () => {
      for (const firstFails of [true, false]) {
        const refused = { error: { message: 'Busy' }, status: 429 };
        const prompt = prepare(firstFails ? { response: refused } : {}, { content: 'Ready' });
        expect((await post(svc, route, call(prompt))).status).toBe(200);
      }
      foreign.clearRequests();
    });

    it.each([false, true])('is charged for the usage that it reports (streamed: %s)', async (stream) => {
      const prompt = prepare({ response: { content: LONG_TEXT, ...reported } });
      const response = await post(svc, route, call(prompt, stream));
      const text = await response.text();
      expect(outcomeOf(text, stream).cost).toEqual({ customer_nanos: Number(charge), state: 'final' });
      if (stream) expect(endedWell(text)).toBe(true);
      expect(await recordOf(response)).toMatchObject({
        status: 'succeeded',
        customerNanos: charge,
        billed: { ...usage, cachedInput: 0, cacheWrite: 0 },
      });
    });

    it.each(['ask', 'stream'] as const)('reaches the SDK whole: text (%s)', async (way) => {
      const prompt = prepare({ response: { content: LONG_TEXT, ...reported }, fault: { chunkSize: 7 } });
      expect(await client()[way]({ model: testModel, prompt })).toEqual({
        text: LONG_TEXT,
        ending: 'stop',
        toolCalls: [],
        inputTokens: usage.input,
        outputTokens: usage.output,
      });
    });

    it.each(['ask', 'stream'] as const)('reaches the SDK whole: text beside two tools (%s)', async (way) => {
      const inputs = [
        { city: 'Zürich "old town"', days: 3 },
        { city: 'Bern\n', days: 0 },
      ];
      const toolCalls = inputs.map((input) => ({ name: 'get_weather', arguments: JSON.stringify(input) }));
      const prompt = prepare({
        response: { content: 'Let me look.', toolCalls, ...reported },
        fault: { chunkSize: 3 },
      });
      const answer = await client()[way]({ model: testModel, prompt, offersTool: true });
      expect(answer).toMatchObject({ text: 'Let me look.', ending: 'tool_calls' });
      expect(answer.toolCalls.map(({ input }) => input)).toEqual(inputs);
    });

    it.each<[string, { response?: Response; fault?: Fault }, number | null]>([
      ['answers 500', { response: { error: { message: 'Oops' }, status: 500 } }, 500],
      ['is rate-limited', { response: { error: { message: 'Busy' }, status: 429, retryAfter: 9 } }, 429],
      ['is rate-limited by chance', { fault: { chaos: { rateLimitRate: 1 } } }, 429],
      ['drops the call', { fault: { chaos: { dropRate: 1 } } }, 500],
      ['breaks the connection', { fault: { chaos: { disconnectRate: 1 } } }, null],
      ['answers with broken JSON', { fault: { chaos: { malformedRate: 1 } } }, null],
      ['breaks off before it said anything', { fault: { disconnectAfterMs: 60, latency: 500 } }, null],
    ])('falls over when it %s', async (_, first, status) => {
      for (const stream of 'disconnectAfterMs' in (first.fault ?? {}) ? [true] : [false, true]) {
        foreign.clearRequests();
        const prompt = prepare(first, { content: 'From the second', ...reported });
        const response = await post(svc, route, call(prompt, stream));
        const text = await response.text();
        expect(response.status).toBe(200);
        expect(outcomeOf(text, stream).attempts.map(({ region }) => region)).toEqual(['eu', 'us']);
        if (status !== null) expect(outcomeOf(text, stream).attempts[0]?.status).toBe(status);
        expect(outcomeOf(text, stream).attempts[1]?.status).toBe(200);
        if (stream) expect(endedWell(text)).toBe(true);
        // The second endpoint is dearer, and only it is charged.
        const dearer = { ...testPrices, output: testPrices.output + 1 };
        const { customerNanos } = await recordOf(response);
        expect(customerNanos).toBe(expectedCharge({ ...usage, cachedInput: 0, cacheWrite: 0 }, dearer));
      }
    });

    it.each<[string, Fault]>([
      ['is cut after some chunks', { truncateAfterChunks: 12, latency: 5, chunkSize: 10 }],
      ['loses its connection', { disconnectAfterMs: 1_500, latency: 40, chunkSize: 10 }],
    ])('never ends cleanly when it %s', async (_, fault) => {
      const prompt = prepare({ response: { content: LONG_TEXT, ...reported }, fault }, { content: 'No' });
      const response = await post(svc, route, call(prompt, true));
      const text = await response.text();
      expect(endedWell(text)).toBe(false);
      expect(text).toContain('A sentence');
      const last = framesOf(text).at(-1) as unknown as ErrorBody;
      expect(last.error).toMatchObject({ code: 'provider_error', retriable: true });
      expect(modelsCalled()).toEqual(['foreign-first-model']);

      const record = await recordOf(response);
      expect(record).toMatchObject({ status: 'failed', costState: 'provisional' });
      expect(record.billed.output).toBeGreaterThan(0);
      expect(record.customerNanos).toBe(expectedCharge(record.billed, testPrices));
      expect(record.customerNanos).toBeLessThan(record.heldNanos);
      expect((await audit.books()).heldNanos).toBe(0n);
      const cut = client().stream({ model: testModel, prompt });
      await expect(cut).rejects.toBeDefined();
    });

    it('answers 429 with its Retry-After when every endpoint is rate-limited', async () => {
      const busy = { error: { message: 'Busy', type: 'rate_limit_error' }, status: 429, retryAfter: 9 };
      const response = await post(svc, route, call(prepare({ response: busy }, busy)));
      expect(response.status).toBe(429);
      expect(response.headers.get('retry-after')).toBe('9');
      const { error } = (await response.json()) as ErrorBody;
      expect(error).toMatchObject({ type: 'rate_limit', code: 'provider_rate_limit', retriable: true });
      expect(await recordOf(response)).toMatchObject({ status: 'failed', customerNanos: 0n });
    });

    it('passes on a refusal that the caller caused', async () => {
      const refused = { error: { message: 'That prompt is not for me.' }, status: 422 };
      const response = await post(svc, route, call(prepare({ response: refused }, { content: 'No' })));
      expect(response.status).toBe(400);
      const { error } = (await response.json()) as ErrorBody;
      expect(error).toMatchObject({ code: 'provider_http_422', retriable: false });
      expect(error.message).toContain('That prompt is not for me.');
      expect(modelsCalled()).toEqual(['foreign-first-model']);
    });

    it('is aborted, and charged for its output so far, when the caller disconnects', async () => {
      const prompt = prepare({ response: { content: LONG_TEXT }, fault: { latency: 40, chunkSize: 5 } });
      const leave = new AbortController();
      const response = await post(svc, route, call(prompt, true), { signal: leave.signal });
      const reader = response.body!.getReader();
      for (let chunks = 0; chunks < 5; chunks++) await reader.read();
      leave.abort();
      await reader.closed.catch(() => undefined);
      await eventually(async () => {
        const record = await recordOf(response);
        expect(record).toMatchObject({ status: 'cancelled', costState: 'provisional' });
        expect(record.customerNanos).toBe(expectedCharge(record.billed, testPrices));
        expect(record.billed.output).toBeGreaterThan(0);
      });
    });

    it('is skipped after five broken connections in a row, never for its rate limits', async () => {
      const regionsAfter = async (first: { response?: Response; fault?: Fault }) => {
        const prompt = () => prepare(first, { content: 'From the second' });
        for (let failures = 0; failures < 5; failures++) await post(svc, route, call(prompt()));
        const { attempts } = svcOf(await (await post(svc, route, call(prompt()))).json());
        return attempts.map(({ region }) => region);
      };
      expect(await regionsAfter({ fault: { chaos: { rateLimitRate: 1 } } })).toEqual(['eu', 'us']);
      expect(await regionsAfter({ fault: { chaos: { disconnectRate: 1 } } })).toEqual(['us']);
    });
  });
});
