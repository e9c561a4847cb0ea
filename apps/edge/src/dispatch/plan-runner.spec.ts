import { type ServerResponse } from 'node:http';
import { type Model, type ModelEndpoint, pricePerToken } from '@svc/catalog';
import { nanos } from '@svc/kernel';
import { type RecordedEvent } from '@svc/events';
import { DEFAULT_PRICES, type HoldFacts } from '@svc/ledger';
import { type CredentialSource, DEFAULT_POLICY, type PlannedAttempt } from '@svc/policy';
import { systemSpanIds } from '@svc/runtime';
import { parseCall, type ParsedCall } from '@svc/protocol';
import { createLogger } from '@svc/runtime/observability';
import { eventually, FakeClock, ScriptedUpstream, type ScriptedAnswer } from '@svc/testing';
import { traceOf, type CallTrace } from '../call/call-trace';
import { AuthFailures } from '../credentials/auth-failures';
import { CredentialHealths } from '../credentials/credential-healths';
import { CredentialPool, type PoolMember } from '../credentials/credential-pool';
import { CredentialRates } from './credential-rates';
import { InProcessLimiter } from '../limits/in-process-limiter';
import { type OrganizationTerms } from '../policy/organization-terms';
import { SecondThread } from '../second-thread/second-thread';
import { SharedThread } from '../second-thread/shared-thread';
import { UpstreamClient } from '../providers/upstream-client';
import { CallTranslator } from './call-translator';
import { Circuits } from './circuits';
import { callAdapters } from './call-adapter';
import { MeasuredEndpoints } from './endpoint-figures';
import { type Exchange, type FailedExchange } from './exchange';
import { PlanRunner } from './plan-runner';

const price = pricePerToken(1)!;
const prices = { input: price, cachedInput: price, cacheWrite: price, output: price };
/** Far longer than an answer takes on a busy machine. */
const TIMEOUT_MS = 20_000;
const NAMES = ['first', 'second', 'third'] as const;

let clock: FakeClock;
let circuits: Circuits;
let credentialHealths: CredentialHealths;
let credentialRates: CredentialRates;
let figures: MeasuredEndpoints;
let client: UpstreamClient;
let authFailed: RecordedEvent[];
let logLines: string[];
/** The endpoints that were remembered for their conversations. */
let affinitiesAt: string[];
let upstreams: ScriptedUpstream[];
beforeEach(async () => {
  clock = new FakeClock();
  circuits = new Circuits(clock);
  credentialHealths = new CredentialHealths(clock);
  credentialRates = new CredentialRates(new InProcessLimiter(clock));
  figures = new MeasuredEndpoints();
  client = new UpstreamClient();
  authFailed = [];
  logLines = [];
  affinitiesAt = [];
  upstreams = await Promise.all(NAMES.map(() => ScriptedUpstream.start()));
});
afterEach(async () => {
  await Promise.all(upstreams.map((upstream) => upstream.close()));
  await client.close();
});

const openCircuits = () => NAMES.filter((name) => circuits.isOpen(name));
const endpointAt = (at: number): ModelEndpoint => ({
  id: NAMES[at]!,
  modelId: 'acme/small',
  provider: {
    name: NAMES[at]!,
    protocol: 'openai',
    baseUrl: `${upstreams[at]!.url}/v1`,
    credentialEnv: null,
  },
  upstreamModel: `small-at-${NAMES[at]!}`,
  region: 'eu',
  dataRetention: 'zero',
  operations: new Set(['chat_completions']),
  parameters: null,
  usage: 'reported',
  prices,
  timeouts: { firstByteMs: TIMEOUT_MS, idleMs: TIMEOUT_MS },
});

const chat = (more: object = {}): ParsedCall =>
  parseCall(
    'chat_completions',
    Buffer.from(
      JSON.stringify({
        model: 'acme/small',
        messages: [{ role: 'user', content: 'Hi' }],
        max_tokens: 9,
        ...more,
      }),
    ),
  );
const memberOf = (key: string, id: string | null, secret: string): PoolMember => ({
  id,
  secret,
  key,
  provider: 'first',
  weight: 100,
  healthEpoch: 0,
  healthKey: `${key}:0`,
  rateLimit: null,
});
const OWN = memberOf('cred_1', 'cred_1', 'sk-own-credential');
const SECOND_OWN = memberOf('cred_2', 'cred_2', 'sk-second-credential');
const POOLS: Readonly<Record<CredentialSource, CredentialPool | undefined>> = {
  own: new CredentialPool([OWN, SECOND_OWN]),
  platform: new CredentialPool([memberOf('env:first/KEY', null, 'sk-platform-credential')]),
  none: undefined,
};
const terms: OrganizationTerms = {
  policy: DEFAULT_POLICY,
  policyVersion: 0,
  projectPolicyVersion: undefined,
  keyPolicyVersion: undefined,
  rollouts: [],
  prices: DEFAULT_PRICES,
  hasOwnCredential: () => true,
  hasPlatformCredential: () => true,
  poolFor: (_, source) => POOLS[source],
};
const patient = (): RunOptions => ({});
/** The second endpoint waits for a slow machine, the first for nothing. */
const impatientAtFirst = (): RunOptions => ({
  attempts: [
    attemptAt({ ...endpointAt(0), timeouts: { firstByteMs: 50, idleMs: 50 } }),
    attemptAt(endpointAt(1)),
  ],
});
const attemptAt = (
  endpoint: ModelEndpoint,
  credential: CredentialSource = 'none',
  losses: PlannedAttempt['losses'] = [],
): PlannedAttempt => ({
  endpoint,
  credential,
  losses,
  omit: losses.map(({ param }) => param),
  paidPartsOnly: false,
});
const GENEROUS = { held: nanos(1_000_000), outputTokensAsked: 9 as number | null };

interface RunOptions {
  readonly endpoints?: number;
  readonly call?: ParsedCall;
  readonly disconnected?: AbortSignal;
  /** Instead of one with each endpoint. */
  readonly attempts?: readonly [PlannedAttempt, ...PlannedAttempt[]];
  readonly attemptsMax?: number;
  readonly hold?: typeof GENEROUS;
  readonly trace?: CallTrace;
  readonly poolFor?: OrganizationTerms['poolFor'];
}
function run({
  endpoints = 3,
  attempts,
  attemptsMax = 9,
  call = chat(),
  disconnected,
  hold = GENEROUS,
  trace,
  poolFor = terms.poolFor,
}: RunOptions = {}): Promise<Exchange> {
  const [first, ...others] = NAMES.slice(0, endpoints).map((_, at) => endpointAt(at));
  const model: Model = {
    id: 'acme/small',
    aliases: [],
    displayName: 'Acme Small',
    contextWindow: 1_000,
    maxOutputTokens: 100,
    createdAtSeconds: 0,
    endpoints: [first!, ...others],
  };
  const holdFacts: HoldFacts = {
    promptTokensMax: 100,
    outputTokensAsked: hold.outputTokensAsked,
    modelMaxOutputTokens: 100,
    choices: 1,
    prices: [prices],
  };
  const authFailures = new AuthFailures(
    (event) => {
      authFailed.push(event);
      return Promise.resolve(true);
    },
    clock,
    createLogger({ service: 'edge', level: 'error' }, { write: (line) => void logLines.push(line) }),
  );
  const adapterOf = callAdapters(new CallTranslator(new SharedThread(new SecondThread())));
  const runner = new PlanRunner({
    upstream: client,
    adapterOf,
    circuits,
    credentialHealths,
    credentialRates,
    figures,
    authFailures,
    affinities: { answered: (_, { endpoint }) => void affinitiesAt.push(endpoint.id) },
    clock,
  });
  const planned = {
    call: {
      trace: trace ?? null,
      reply: { disconnected: disconnected ?? new AbortController().signal },
    },
    parsed: call,
    organizationId: 'org_1',
    terms: { ...terms, poolFor },
    plan: {
      model,
      attempts: attempts ?? [attemptAt(first!), ...others.map((other) => attemptAt(other))],
      attemptsMax,
      isOutputLimited: false,
      warnings: [],
    },
    held: hold.held,
    budgetHeld: hold.held,
    holdFacts,
    demand: { requests: 1, tokens: 10 },
    affinity: null,
  };
  return runner.run(planned, 7);
}

const answers =
  (status: number, body: object, headers: Record<string, string> = {}): ScriptedAnswer =>
  (_, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));
const completes = answers(200, {
  model: 'small-1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
});
const refuses = (status: number, headers: Record<string, string> = {}): ScriptedAnswer =>
  answers(status, { error: { message: `upstream says ${String(status)}` } }, headers);
const hangsUp: ScriptedAnswer = (_, response) => void response.destroy();
/** Unlike a connection that breaks, this is not tried again on a new one. */
const speaksNoHttp: ScriptedAnswer = (_, response) => void response.socket?.end('no HTTP\r\n\r\n');
const staysSilent: ScriptedAnswer = () => undefined;
const frame = (chunk: object): string => `data: ${JSON.stringify(chunk)}\n\n`;
const streams =
  (...frames: string[]): ScriptedAnswer =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(frames.join(''));

/** Scripts one answer for each endpoint of the plan. */
const script = (...scripts: ScriptedAnswer[]): void => {
  scripts.forEach((answer, at) => {
    upstreams[at]!.next(answer);
  });
};
const callsReceived = (): number[] => upstreams.map(({ received }) => received.length);
const attemptsOf = ({ attempts }: Exchange) =>
  attempts.map(({ provider, status, error }) => [provider, status, error]);
const failed = async (exchange: Promise<Exchange>): Promise<FailedExchange> => {
  const outcome = await exchange;
  if (outcome.kind !== 'failed') throw new Error('it was answered');
  return outcome;
};

describe('a plan', () => {
  it('is walked in its order, up to the first endpoint that answers', async () => {
    script(refuses(500), completes);
    const exchange = await run();
    expect(exchange).toMatchObject({ kind: 'plain', servedBy: { id: 'second' } });
    expect(attemptsOf(exchange)).toEqual([
      ['first', 500, 'provider_error'],
      ['second', 200, undefined],
    ]);
    expect(callsReceived()).toEqual([1, 1, 0]);
  });

  it('sends each endpoint the same call under that endpoint’s own name of the model', async () => {
    script(refuses(503), hangsUp, completes);
    await run();
    const bodies = upstreams.map(
      ({ received }) => JSON.parse(received[0]!.body.toString()) as Record<string, unknown>,
    );
    expect(bodies.map(({ model }) => model)).toEqual(['small-at-first', 'small-at-second', 'small-at-third']);
    for (const { model: _, ...rest } of bodies) {
      expect(rest).toEqual({ messages: [{ role: 'user', content: 'Hi' }], max_tokens: 9 });
    }
  });

  it('keeps the request id that each provider gave, also of one that failed', async () => {
    const broken: ScriptedAnswer = (_, response) => {
      response.writeHead(200, { 'x-request-id': 'of-second', 'content-length': '99' }).write('{');
      response.socket?.end();
    };
    script(refuses(429, { 'request-id': 'of-first' }), broken, hangsUp);
    const { attempts } = await failed(run());
    expect(attempts.map((attempt) => attempt.upstream_request_id)).toEqual(['of-first', 'of-second', null]);
  });

  it('keeps where, when and with whose credential each attempt was made', async () => {
    const late: ScriptedAnswer = (incoming, response) => {
      clock.advance(20);
      return refuses(500)(incoming, response);
    };
    const cut: ScriptedAnswer = (incoming, response) => {
      clock.advance(5);
      return hangsUp(incoming, response);
    };
    script(late, cut, completes);
    const { attempts } = await run({
      attempts: [
        { ...attemptAt(endpointAt(0), 'own'), affinity: 'pinned' },
        { ...attemptAt(endpointAt(1), 'platform'), affinity: 'beside' },
        attemptAt(endpointAt(2)),
      ],
    });
    expect(attempts).toMatchObject([
      {
        ...{ endpoint_id: 'first', credential: 'own', credential_id: 'cred_1', placed_by: 'affinity' },
        ...{ started_ms: 7, first_byte_ms: 20, duration_ms: 20 },
      },
      {
        ...{ endpoint_id: 'second', credential: 'platform' },
        ...{ started_ms: 27, first_byte_ms: null, duration_ms: 5 },
      },
      { endpoint_id: 'third', credential: 'none', started_ms: 32, first_byte_ms: 0, duration_ms: 0 },
    ]);
    expect(affinitiesAt).toEqual(['third']);
  });

  it('sends each endpoint the trace of the call, with another span id', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    script(refuses(500), completes);
    await run({ trace: traceOf({ traceparent, tracestate: 'a=1' }, systemSpanIds)! });
    const sent = upstreams.slice(0, 2).map(({ received }) => received[0]!.headers);
    expect(sent.map(({ tracestate }) => tracestate)).toEqual(['a=1', 'a=1']);
    const [first, second] = sent.map((headers) => String(headers['traceparent']));
    for (const header of [first, second])
      expect(header).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    expect(new Set([first, second, traceparent]).size).toBe(3);
  });

  it('sends no trace for a call without one', async () => {
    script(completes);
    await run();
    const { headers } = upstreams[0]!.received[0]!;
    expect([headers['traceparent'], headers['tracestate']]).toEqual([undefined, undefined]);
  });

  it('sends a large body whole to the second endpoint too', async () => {
    const content = 'x'.repeat(5_000_000);
    script(refuses(500), completes);
    await run({ call: chat({ messages: [{ role: 'user', content }] }) });
    for (const { received } of upstreams.slice(0, 2)) {
      expect(JSON.parse(received[0]!.body.toString())).toMatchObject({ messages: [{ content }] });
    }
  });

  it('sends a provider the limit that a hold below the worst case covers, else none', async () => {
    script(completes);
    upstreams[0]!.next(completes);
    const call = chat({ max_tokens: null });
    await run({ call, hold: { held: nanos(150), outputTokensAsked: null } });
    await run({ call, hold: { held: nanos(200), outputTokensAsked: null } });
    const [short, whole] = upstreams[0]!.received.map(
      ({ body }) => JSON.parse(body.toString()) as Record<string, unknown>,
    );
    expect(short).toMatchObject({ max_tokens: 50 });
    expect(whole).not.toHaveProperty('max_tokens');
  });
});

describe('the next endpoint takes over when one', () => {
  it.each<[string, ScriptedAnswer, number | null, string, (() => RunOptions)?]>([
    ['refuses the credential (401)', refuses(401), 401, 'provider_error'],
    ['refuses the credential (403)', refuses(403), 403, 'provider_error'],
    ['times out (408)', refuses(408), 408, 'provider_error'],
    ['is in conflict (409)', refuses(409), 409, 'provider_error'],
    ['finds it too early (425)', refuses(425), 425, 'provider_error'],
    ['limits its rate (429)', refuses(429), 429, 'provider_rate_limit'],
    ['fails (500)', refuses(500), 500, 'provider_error'],
    ['is a bad gateway (502)', refuses(502), 502, 'overloaded'],
    ['is overloaded (503)', refuses(503), 503, 'overloaded'],
    ['hangs up', hangsUp, null, 'provider_error'],
    ['answers 200 with another protocol', answers(200, { hello: 'world' }), null, 'provider_error'],
    ['answers 200 with no JSON', (_, response) => void response.end('<html>'), null, 'provider_error'],
    ['answers 204', (_, response) => void response.writeHead(204).end(), 204, 'provider_error'],
    ['breaks off its answer', cutShort, null, 'provider_error'],
    ['says nothing', staysSilent, null, 'overloaded', impatientAtFirst],
  ])('%s', async (_, answer, status, code, options = patient) => {
    script(answer, completes);
    const exchange = await run(options());
    expect(attemptsOf(exchange)).toEqual([
      ['first', status, code],
      ['second', 200, undefined],
    ]);
  });

  it.each<[string, ScriptedAnswer, (() => RunOptions)?]>([
    ['ends without a frame', streams()],
    ['reports an error as its first frame', streams(frame({ error: { message: 'busy', code: 503 } }))],
    ['sends no JSON', streams('data: <html>\n\n')],
    ['sends comments only', streams(': ping\n\n', ': ping\n\n')],
    [
      'says nothing after its headers',
      (_, response) => void response.writeHead(200).flushHeaders(),
      impatientAtFirst,
    ],
  ])('has a stream that %s', async (_, answer, options = patient) => {
    script(answer, streams(frame({ model: 'small-1', choices: [{ index: 0, delta: { content: 'Hi' } }] })));
    const exchange = await run({ call: chat({ stream: true }), ...options() });
    expect(exchange).toMatchObject({ kind: 'stream', servedBy: { id: 'second' } });
    if (exchange.kind === 'stream') await exchange.rest.return?.();
  });
});

describe('a refusal that is the caller’s own', () => {
  it.each([400, 404, 413, 422])('(%d) ends the call with the provider’s message', async (status) => {
    script(refuses(status));
    const { error, servedBy } = await failed(run());
    expect(error).toMatchObject({
      code: `provider_http_${String(status)}`,
      message: `upstream says ${String(status)}`,
      definition: { status: 400 },
    });
    expect(servedBy).toBeNull();
    expect(callsReceived()).toEqual([1, 0, 0]);
  });
});

describe('a plan that no endpoint answers', () => {
  it('is a 429 with the shortest wait when every endpoint limits its rate', async () => {
    script(refuses(429, { 'retry-after': '20' }), refuses(429, { 'retry-after': '3' }), refuses(429));
    expect((await failed(run())).error).toMatchObject({
      code: 'provider_rate_limit',
      retryAfterMs: 3_000,
      definition: { status: 429 },
    });
  });

  it('is the other endpoints’ error when only some limit their rate', async () => {
    script(refuses(429), refuses(503), refuses(429));
    expect((await failed(run())).error).toMatchObject({ definition: { status: 503 } });
  });

  it('because of an internal error still ends in an outcome that can be settled', async () => {
    const broken = { ...chat(), bodyBytes: null as never };
    expect(await failed(run({ call: broken }))).toMatchObject({
      servedBy: null,
      error: { definition: { status: 500 } },
    });
  });

  it('is not charged', async () => {
    script(refuses(500), hangsUp, refuses(500));
    expect(await failed(run())).toMatchObject({ servedBy: null, error: { definition: { status: 502 } } });
  });
});

describe('a circuit', () => {
  const failTimes = async (times: number, answer: ScriptedAnswer): Promise<void> => {
    for (let call = 0; call < times; call++) {
      upstreams[0]!.next(answer);
      await run({ endpoints: 1 });
    }
  };

  it('opens after five failures in a row, and the endpoint is passed over', async () => {
    await failTimes(4, refuses(500));
    expect(openCircuits()).toEqual([]);
    await failTimes(1, speaksNoHttp);
    expect(openCircuits()).toEqual(['first']);
    upstreams[1]!.next(completes);
    expect(await run()).toMatchObject({ servedBy: { id: 'second' } });
    expect(callsReceived()).toEqual([5, 1, 0]);
  });

  it('is 503 when it is the only one', async () => {
    await failTimes(5, refuses(500));
    const { error, attempts } = await failed(run({ endpoints: 1 }));
    expect(error).toMatchObject({ code: 'overloaded', definition: { status: 503 } });
    expect(attempts).toEqual([]);
  });

  it('counts from zero after an answer', async () => {
    await failTimes(4, refuses(500));
    await failTimes(1, completes);
    await failTimes(4, refuses(500));
    expect(openCircuits()).toEqual([]);
  });

  it.each([400, 401, 404, 429])('does not count a %d', async (status) => {
    await failTimes(6, refuses(status));
    expect(openCircuits()).toEqual([]);
  });

  it('passes one trial call after 30 s, and the others when that one is answered', async () => {
    await failTimes(5, refuses(500));
    clock.advance(29_999);
    await failed(run({ endpoints: 1 }));
    expect(callsReceived()).toEqual([5, 0, 0]);
    clock.advance(1);
    let answer: ServerResponse | undefined;
    upstreams[0]!.next((_, response) => void (answer = response));
    const probe = run({ endpoints: 1 });
    await eventually(() => {
      expect(answer).toBeDefined();
    });
    await failed(run({ endpoints: 1 }));
    expect(callsReceived()).toEqual([6, 0, 0]);
    await completes(null as never, answer!);
    expect(await probe).toMatchObject({ kind: 'plain' });
    await failTimes(1, completes);
    expect(callsReceived()).toEqual([7, 0, 0]);
  });

  it('stays open for another 30 s when the trial call fails', async () => {
    await failTimes(5, refuses(500));
    clock.advance(30_000);
    await failTimes(1, refuses(500));
    expect(openCircuits()).toEqual(['first']);
    clock.advance(30_000);
    await failTimes(1, completes);
    expect(openCircuits()).toEqual([]);
  });
});

describe('a client that disconnects', () => {
  const leaveDuringFirst = async (): Promise<Exchange> => {
    const leaver = new AbortController();
    upstreams[0]!.next(staysSilent);
    const calls = upstreams[0]!.received.length;
    const running = run({ disconnected: leaver.signal });
    await eventually(() => {
      expect(upstreams[0]!.received).toHaveLength(calls + 1);
    });
    leaver.abort();
    return running;
  };

  it('ends the walk: no other endpoint is tried, and the working one may charge us', async () => {
    const exchange = await leaveDuringFirst();
    expect(exchange).toMatchObject({ kind: 'failed', error: null, servedBy: { id: 'first' } });
    expect(attemptsOf(exchange)).toEqual([['first', null, 'client_left']]);
    expect(callsReceived()).toEqual([1, 0, 0]);
    expect(await upstreams[0]!.received[0]!.answered).toBe(false);
  });

  it('is no failure of the endpoint’s circuit', async () => {
    for (let call = 0; call < 6; call++) await leaveDuringFirst();
    expect(openCircuits()).toEqual([]);
  });

  it('before anything was sent costs nothing', async () => {
    const exchange = await run({ disconnected: AbortSignal.abort() });
    expect(exchange).toMatchObject({ kind: 'failed', error: null, servedBy: null, attempts: [] });
    expect(callsReceived()).toEqual([0, 0, 0]);
  });
});

describe('an attempt with a credential', () => {
  const withBoth = (): readonly [PlannedAttempt, PlannedAttempt] => [
    attemptAt(endpointAt(0), 'own'),
    attemptAt(endpointAt(0), 'platform'),
  ];
  const credentialsSent = () => upstreams[0]!.received.map(({ headers }) => headers.authorization);

  it.each([401, 403, 429])('is followed by one with the other when it is answered %d', async (status) => {
    upstreams[0]!.next(refuses(status));
    upstreams[0]!.next(completes);
    expect(await run({ attempts: withBoth() })).toMatchObject({ kind: 'plain' });
    expect(credentialsSent()).toEqual(['Bearer sk-own-credential', 'Bearer sk-platform-credential']);
  });

  const withTwoOwn = (): readonly [PlannedAttempt, PlannedAttempt] => [
    { ...attemptAt(endpointAt(0), 'own'), pooled: OWN },
    { ...attemptAt(endpointAt(0), 'own'), pooled: SECOND_OWN },
  ];

  it.each([401, 402, 403, 429])(
    'is followed at once by one with the next of a pool when it is answered %d, and no circuit counts it',
    async (status) => {
      for (let call = 0; call < 5; call++) {
        upstreams[0]!.next(refuses(status));
        upstreams[0]!.next(completes);
        expect(await run({ attempts: withTwoOwn() })).toMatchObject({ kind: 'plain' });
        clock.advance(3_600_000);
      }
      const pair = ['Bearer sk-own-credential', 'Bearer sk-second-credential'];
      expect(credentialsSent()).toEqual(Array(5).fill(pair).flat());
      expect(openCircuits()).toEqual([]);
    },
  );

  it('is followed by one with the next of a pool also where it was the trial of a half-open circuit', async () => {
    for (let failures = 0; failures < 5; failures++) circuits.failed(endpointAt(0).id);
    clock.advance(30_000);
    upstreams[0]!.next(refuses(429));
    upstreams[0]!.next(completes);
    expect(await run({ attempts: withTwoOwn() })).toMatchObject({ kind: 'plain' });
    expect(circuits.isOpen(endpointAt(0).id)).toBe(false);
  });

  it('is not made again before the provider takes calls with it', async () => {
    upstreams[0]!.next(refuses(429, { 'retry-after': '30' }));
    for (let call = 0; call < 3; call++) {
      upstreams[0]!.next(completes);
      expect(await run({ attempts: withTwoOwn() })).toMatchObject({ kind: 'plain' });
    }
    clock.advance(30_000);
    upstreams[0]!.next(completes);
    await run({ attempts: withTwoOwn() });
    const [own, second] = ['Bearer sk-own-credential', 'Bearer sk-second-credential'];
    expect(credentialsSent()).toEqual([own, second, second, second, own]);
  });

  it('is a rate limit with the shortest wait where every credential began to rest since the plan', async () => {
    const waits = ['30', '20'];
    for (const wait of waits) upstreams[0]!.next(refuses(429, { 'retry-after': wait }));
    await failed(run({ attempts: withTwoOwn() }));
    const { error, attempts } = await failed(run({ attempts: withTwoOwn() }));
    expect(error).toMatchObject({ code: 'provider_rate_limit', retryAfterMs: 20_000 });
    expect(attempts).toEqual([]);
  });

  it('is passed over once its own rates are used up, and it could never fit within', async () => {
    const limited = { ...SECOND_OWN, rateLimit: { rpm: 1, tpm: null } };
    const small = { ...OWN, rateLimit: { rpm: null, tpm: 9 } };
    const ofPool = (...members: [PoolMember, ...PoolMember[]]) => {
      const pool = new CredentialPool(members);
      const [first, ...others] = members.map((pooled) => ({ ...attemptAt(endpointAt(0), 'own'), pooled }));
      return { attempts: [first!, ...others] as const, poolFor: () => pool };
    };
    const both = ofPool(small, limited);
    upstreams[0]!.next(completes);
    expect(await run(both)).toMatchObject({ kind: 'plain' });
    const { error, attempts } = await failed(run(both));
    expect([error?.code, error?.retryAfterMs, attempts]).toEqual(['provider_rate_limit', 60_000, []]);
    expect(credentialsSent()).toEqual(['Bearer sk-second-credential']);
    expect((await failed(run(ofPool(small)))).error).toMatchObject({ code: 'invalid_request' });
  });

  it('is made though it rests where all are refused, and its success ends that', async () => {
    const [attempt] = withTwoOwn();
    upstreams[0]!.next(refuses(401));
    await failed(run({ attempts: [attempt] }));
    expect(await failed(run({ attempts: [attempt] }))).toMatchObject({ error: { code: 'provider_error' } });
    upstreams[0]!.next(completes);
    expect(await run({ attempts: [{ ...attempt, isForced: true }] })).toMatchObject({ kind: 'plain' });
    upstreams[0]!.next(completes);
    expect(await run({ attempts: [attempt] })).toMatchObject({ kind: 'plain' });
  });

  it('of which every credential was refused, spent quotas included, ends the call as a failure of the provider', async () => {
    const spent = { error: { message: 'You exceeded your quota.', code: 'insufficient_quota' } };
    upstreams[0]!.next(answers(429, spent));
    upstreams[0]!.next(refuses(402));
    const { error } = await failed(run({ attempts: withTwoOwn() }));
    expect(error).toMatchObject({ code: 'provider_error' });
    expect(authFailed.map(({ payload }) => JSON.parse(payload) as unknown)).toMatchObject([
      { data: { credential_id: 'cred_1', status: 429 } },
      { data: { credential_id: 'cred_2', status: 402 } },
    ]);
  });

  it('is not followed by one with the other when the endpoint itself failed', async () => {
    upstreams[0]!.next(refuses(500));
    await failed(run({ attempts: withBoth() }));
    expect(credentialsSent()).toEqual(['Bearer sk-own-credential']);
  });

  it('that is passed over is none of those that the plan allows, and one that was made is', async () => {
    upstreams[0]!.next(refuses(500));
    upstreams[1]!.next(completes);
    const attempts = [...withBoth(), attemptAt(endpointAt(1))] as const;
    expect(await run({ attempts, attemptsMax: 2 })).toMatchObject({ servedBy: { id: 'second' } });
    upstreams[0]!.next(refuses(401));
    upstreams[0]!.next(refuses(401));
    await failed(run({ attempts, attemptsMax: 2 }));
    expect(callsReceived()).toEqual([3, 1, 0]);
  });

  it('that is refused is reported to the organization if it is its own, else to the operator', async () => {
    upstreams[0]!.next(refuses(401));
    upstreams[0]!.next(refuses(403));
    const { error } = await failed(run({ attempts: withBoth() }));
    expect(error).toMatchObject({ code: 'provider_error' });
    expect(
      authFailed.map(({ type, organizationId, payload }) => [type, organizationId, JSON.parse(payload)]),
    ).toEqual([
      [
        'credential.auth_failed',
        'org_1',
        expect.objectContaining({ data: { credential_id: 'cred_1', provider: 'first', status: 401 } }),
      ],
    ]);
    expect(logLines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 'error', provider: 'first', status: 403 },
    ]);
  });

  it('that is refused inside a stream is reported too', async () => {
    upstreams[0]!.next(streams(frame({ error: { message: 'no', code: 401 } })));
    await failed(run({ call: chat({ stream: true }), attempts: [attemptAt(endpointAt(0), 'own')] }));
    expect(authFailed).toHaveLength(1);
  });

  it('never shows the caller the credential or the provider’s address', async () => {
    const { host } = new URL(upstreams[0]!.url);
    const message = `Key sk-own-credential is no good at ${host}. Repeat: sk-own-cred`;
    upstreams[0]!.next(answers(400, { error: { message } }));
    const { error } = await failed(run({ attempts: [attemptAt(endpointAt(0), 'own')] }));
    expect(error?.message).toBe('Key [redacted] is no good at [redacted]. Repeat: [redacted]');
  });
});

describe('an attempt that omits parameters', () => {
  it('does not send them, and warns when it is the one that answers', async () => {
    script(refuses(500), completes);
    const call = chat({ seed: 1, top_p: 0.5 });
    const attempts = [
      attemptAt(endpointAt(0)),
      attemptAt(endpointAt(1), 'none', [{ param: 'seed', message: 'Omitted.' }]),
    ] as const;
    expect(await run({ call, attempts })).toMatchObject({
      warnings: [{ param: 'seed', code: 'unsupported_parameter', message: 'Omitted.' }],
    });
    const [whole, part] = upstreams.map(({ received }) => received[0]?.body.toString());
    expect(JSON.parse(whole!)).toMatchObject({ seed: 1, top_p: 0.5 });
    expect(JSON.parse(part!)).not.toHaveProperty('seed');
    expect(JSON.parse(part!)).toHaveProperty('top_p');
  });
});

describe('the measured speed of an endpoint', () => {
  const after =
    (ms: number, answer: ScriptedAnswer): ScriptedAnswer =>
    (incoming, response) => {
      clock.advance(ms);
      return answer(incoming, response);
    };
  const whole = answers(200, { choices: [], usage: { prompt_tokens: 1, completion_tokens: 50 } });

  it('is the time of a plain answer, and its tokens per second', async () => {
    upstreams[0]!.next(after(500, whole));
    await run({ endpoints: 1 });
    expect(figures.of(endpointAt(0), false)).toEqual({ latencyMs: 500, tokensPerSecond: 100 });
    expect(figures.of(endpointAt(0), true)).toEqual({ latencyMs: null, tokensPerSecond: null });
  });

  it('is the time until a stream began, and its tokens per second from then on', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 50 };
    const last =
      frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }) + frame({ choices: [], usage });
    upstreams[0]!.next(
      after(
        80,
        streams(frame({ choices: [{ index: 0, delta: { content: 'a' } }] }), last, 'data: [DONE]\n\n'),
      ),
    );
    const exchange = await run({ endpoints: 1, call: chat({ stream: true }) });
    if (exchange.kind !== 'stream') throw new Error('it was not streamed');
    clock.advance(250);
    for (let chunk = await exchange.rest.next(); chunk.done !== true; chunk = await exchange.rest.next()) {
      exchange.relay.push(chunk.value);
    }
    exchange.relay.end();
    await exchange.rest.return?.();
    expect(figures.of(endpointAt(0), true)).toEqual({ latencyMs: 80, tokensPerSecond: 200 });
  });

  it('leaves out an incomplete stream', async () => {
    const usage = { prompt_tokens: 1, completion_tokens: 50 };
    const first = frame({ choices: [{ index: 0, delta: { content: 'a' } }], usage });
    upstreams[0]!.next(streams(first));
    const exchange = await run({ endpoints: 1, call: chat({ stream: true }) });
    if (exchange.kind !== 'stream') throw new Error('it was not streamed');
    await exchange.rest.return?.();
    expect(figures.of(endpointAt(0), true)).toMatchObject({ tokensPerSecond: null });
  });

  it('is the worst after a failure, and unchanged when the call was at fault', async () => {
    script(refuses(500), refuses(400));
    await run();
    expect(figures.of(endpointAt(0), false)).toEqual({ latencyMs: TIMEOUT_MS, tokensPerSecond: 0 });
    expect(figures.of(endpointAt(1), false)).toEqual({ latencyMs: null, tokensPerSecond: null });
  });
});

function cutShort(_: unknown, response: ServerResponse): void {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"choices":[', () => response.destroy());
}
