import { eventually } from '@svc/testing';
import { openLedgerAudit, type LedgerAudit } from './harness/ledger-audit';
import { aiSdkAnthropic, aiSdkCompatible } from './matrix/ai-sdk-clients';
import { anthropic0, anthropic1 } from './matrix/anthropic-clients';
import { type ClientUnderTest, type MatrixClient, type Question } from './matrix/matrix-client';
import { modelOf, startMatrixWorld, type MatrixWorld, type Protocol } from './matrix/matrix-world';
import { openAi6, openAi7 } from './matrix/openai-clients';
import { recordedFetch, type RecordedFetch } from './matrix/recorded-fetch';

const clients = [openAi6, openAi7, anthropic0, anthropic1, aiSdkCompatible, aiSdkAnthropic];

/** `translated`: the model's only upstream speaks the other protocol. */
type UpstreamKind = 'native' | 'translated';
const UPSTREAMS_SERVED: readonly UpstreamKind[] = ['native', 'translated'];

const WRONG_KEY = 'svc_sk_0000000000000000000000000000000000000000000';
const PICTURE = Buffer.concat([
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
  // Padding after the picture's end shows its arrival in the size of the upstream body.
  Buffer.alloc(6000, 7),
]);

const told = (directive: Record<string, unknown>) => `@simulator ${JSON.stringify(directive)}`;

function protocolOf({ route }: ClientUnderTest, upstream: UpstreamKind): Protocol {
  const own = route === '/v1/messages' ? 'anthropic' : 'openai';
  const other = own === 'openai' ? 'anthropic' : 'openai';
  return upstream === 'native' ? own : other;
}

describe('the SDK matrix', () => {
  let world: MatrixWorld;
  let audit: LedgerAudit;
  let promptCount = 0;

  beforeAll(async () => {
    // Silences its warnings about unknown models.
    Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
    world = await startMatrixWorld();
    audit = await openLedgerAudit(world.svc);
  });
  beforeEach(() => world.simulator.clearJournal());
  afterAll(async () => {
    await audit.close();
    await world.stop();
  });

  describe.each(UPSTREAMS_SERVED)('over a %s upstream:', (upstream) => {
    describe.each(clients)('$name', (under) => {
      const protocol = protocolOf(under, upstream);
      let wire: RecordedFetch;
      let client: MatrixClient;

      const connected = (apiKey: string) =>
        under.connect({ baseUrl: world.svc.baseUrl, apiKey, fetch: wire.fetch });
      /** Each question has its own prompt, so that answers cannot be mixed up. */
      const ask = (prompt: string, more: Partial<Question> = {}): Question => ({
        model: modelOf('simulator', protocol),
        prompt: `${prompt} (${String(++promptCount)})`,
        ...more,
      });
      const failureOf = (call: Promise<unknown>) =>
        call.then(
          () => Promise.reject(new Error('There was an answer.')),
          (thrown: unknown) => client.failureOf(thrown),
        );

      beforeEach(() => {
        wire = recordedFetch();
        client = connected(world.svc.apiKey);
      });

      it('plain: gets the whole answer with its usage', async () => {
        const question = ask('Where does the Rhine end?');
        const answer = await client.ask(question);
        expect(answer).toMatchObject({ ending: 'stop', toolCalls: [] });
        expect(answer.text).toContain(question.prompt);
        expect(answer.inputTokens).toBeGreaterThan(0);
        expect(answer.outputTokens).toBeGreaterThan(0);
      });

      it('stream: gets the answer in pieces, with its usage', async () => {
        const question = ask('Count with me');
        const pieces: string[] = [];
        const answer = await client.stream(question, (text) => pieces.push(text));
        expect(pieces.length).toBeGreaterThan(2);
        expect(pieces.join('')).toBe(answer.text);
        expect(answer).toMatchObject({ ending: 'stop', text: (await client.ask(question)).text });
        expect(answer.inputTokens).toBeGreaterThan(0);
        expect(answer.outputTokens).toBeGreaterThan(0);
      });

      it.each(['ask', 'stream'] as const)(
        'tools: calls two at once and reads their results (%s)',
        async (way) => {
          const inputs = ['Basel', 'Köln'].map((city, days) => ({ city, days }));
          const directive = {
            tool_calls: inputs.map((input) => ({ name: 'get_weather', arguments: input })),
          };
          const question = ask(told(directive), { weatherTool: 'required' });
          const first = await client[way](question);
          expect(first.ending).toBe('tool_calls');
          expect(first.toolCalls.map(({ name, input }) => ({ name, input }))).toEqual(
            inputs.map((input) => ({ name: 'get_weather', input })),
          );
          expect(new Set(first.toolCalls.map(({ id }) => id)).size).toBe(2);

          const results = ['Sunny, 21 degrees', 'Rain'];
          const second = await client[way]({
            ...ask('Use get_weather'),
            weatherTool: 'offered',
            toolRound: first.toolCalls.map((call, at) => ({ call, result: results[at]! })),
          });
          expect(second).toMatchObject({ ending: 'stop', toolCalls: [] });
          for (const result of results) expect(second.text).toContain(result);
        },
      );

      it('image: its bytes reach the provider', async () => {
        const question = ask('What is in the picture?', { picture: PICTURE });
        expect((await client.ask(question)).text).toContain(question.prompt);
        const [sent] = await world.simulator.journal();
        expect(sent!.bytes).toBeGreaterThan(PICTURE.toString('base64').length);
      });

      it.each(['ask', 'stream'] as const)(
        'schema: gets JSON of the schema that it asks for (%s)',
        async (way) => {
          const answer = await client[way](ask('A city', { wantsCity: true }));
          const city = JSON.parse(answer.text) as Record<string, unknown>;
          expect(Object.keys(city).sort()).toEqual(['name', 'people']);
          expect([typeof city.name, typeof city.people]).toEqual(['string', 'number']);
        },
      );

      it('error: raises its own typed errors, with the gateway’s code and request id', async () => {
        const refusals = [
          { call: () => connected(WRONG_KEY).ask(ask('Hello')), status: 401, code: 'invalid_api_key' },
          { call: () => client.ask(ask('Hello', { model: 'none/such' })), status: 404, code: 'not_found' },
          {
            call: () => client.stream(ask(told({ status: 413, error_message: 'Too long for me.' }))),
            status: 400,
            code: 'provider_http_413',
          },
        ];
        for (const { call, status, code } of refusals) {
          const failure = await failureOf(call());
          expect(failure).toMatchObject({ status, code, requestId: expect.stringMatching(/^req_/) });
          expect(failure.message).toMatch(code.startsWith('provider') ? /Too long for me\./ : /\w/);
        }
        // None of them was retried.
        expect(wire.answers).toHaveLength(refusals.length);
      });

      it('error: raises when the provider fails in the middle of a stream', async () => {
        const pieces: string[] = [];
        const cut = client.stream(ask(told({ reply_words: 40, cut_after: 8 })), (text) => pieces.push(text));
        await expect(cut).rejects.toBeDefined();
        expect(pieces.length).toBeGreaterThan(0);
        expect(wire.answers).toHaveLength(1);
      });

      it('retry: retries after a rate-limited provider, at the time it was told', async () => {
        const question = ask('Once more', { model: modelOf('foreign', protocol) });
        const answered = { content: 'Second time lucky', usage: { input_tokens: 4, output_tokens: 3 } };
        const refused = {
          error: { message: 'Slow down', type: 'rate_limit_error' },
          status: 429,
          retryAfter: 1,
        };
        world.foreign
          .on({ userMessage: question.prompt, sequenceIndex: 0 }, refused)
          .on({ userMessage: question.prompt, sequenceIndex: 1 }, answered);
        const startedAtMs = performance.now();
        expect((await client.ask(question)).text).toBe('Second time lucky');
        expect(performance.now() - startedAtMs).toBeGreaterThan(950);
        expect(wire.answers.map(({ status }) => status)).toEqual([429, 200]);
        expect(wire.answers[0]?.headers.get('retry-after')).toBe('1');
      });

      it('abort: cancels the upstream call, and releases the hold', async () => {
        const leave = new AbortController();
        let pieces = 0;
        const left = client.stream(
          ask(told({ reply_words: 300, chunk_delay_ms: 50 }), { signal: leave.signal }),
          () => {
            if (++pieces === 3) leave.abort();
          },
        );
        await expect(left).rejects.toBeDefined();
        await eventually(async () => {
          expect(await world.simulator.journal()).toMatchObject([{ outcome: 'interrupted' }]);
          expect((await audit.books()).heldNanos).toBe(0n);
        }, 5000);
        const record = (await audit.calls()).at(-1)!;
        expect(record).toMatchObject({ status: 'cancelled', costState: 'provisional' });
        expect(record.customerNanos).toBeGreaterThan(0n);
      });

      it.each(['ask', 'stream'] as const)(
        'replay: gets the first answer again, for nothing (%s)',
        async (way) => {
          const question = ask('Once and for all', { headers: { 'Idempotency-Key': crypto.randomUUID() } });
          const original = await client[way](question);
          const { balanceNanos } = await audit.books();
          expect(await client[way](question)).toEqual(original);
          expect(await world.simulator.journal()).toHaveLength(1);
          expect((await audit.books()).balanceNanos).toBe(balanceNanos);
          const [first, second] = wire.answers.map(({ headers }) => headers);
          expect(first!.get('idempotency-replayed')).toBeNull();
          expect(second!.get('idempotency-replayed')).toBe('true');
          expect(second!.get('x-request-id')).toBe(first!.get('x-request-id'));
        },
      );
    });
  });
});
