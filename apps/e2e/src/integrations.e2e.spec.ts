import { eventually, type Json } from '@svc/testing';
import { of } from './distributed/tenant';
import { post } from './harness/clients';
import { RecordingReceiver } from './harness/recording-receiver';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';
import { callApi } from './oauth/oauth-app';

const MODEL = 'simulator/echo';
const CANARY = 'canary-of-the-prompt';
const CANARY_HEADER = 'canary-of-a-header';
/** All that a span may tell (docs/otlp.md). */
const SPAN_ATTRIBUTES = [
  'gen_ai.operation.name',
  'gen_ai.provider.name',
  'gen_ai.request.model',
  'gen_ai.usage.input_tokens',
  'gen_ai.usage.output_tokens',
  'svc.api_key_id',
  'svc.attempts',
  'svc.cost.provider_nanos',
  'svc.cost_nanos',
  'svc.error_code',
  'svc.organization_id',
  'svc.project_id',
  'svc.region',
  'svc.request_id',
];

let svc: SharedSvc;
let receiver: RecordingReceiver;
let ofAllTests: string;
/** The integrations of a test. */
let made: string[];
beforeAll(async () => {
  receiver = await RecordingReceiver.start();
  svc = await sharedSvc();
  const config = { url: `${receiver.origin}/all`, signals: ['metrics'], encoding: 'json' };
  const { id } = of(201, await api('POST', '/integrations', { kind: 'otlp', name: 'Of all tests', config }));
  ofAllTests = id as string;
});
beforeEach(() => {
  made = [];
});
afterAll(async () => {
  // The service goes on, and another spec may get the port of this receiver.
  of(204, await api('DELETE', `/integrations/${ofAllTests}`));
  receiver.close();
});
// An organization may have twenty.
afterEach(async () => {
  for (const id of made) of(204, await api('DELETE', `/integrations/${id}`));
});

const api = (method: string, path: string, body?: object) =>
  callApi(svc.baseUrl, method, `/api/v1${path}`, svc.apiKey, body);
const configOf = (kind: string, url: string) =>
  kind === 'pagerduty' ? { url, routing_key: 'R'.repeat(32) } : { url };

/** One whose receiver is at the path of its name. */
async function newIntegration(kind: string, name: string, fields: object = {}): Promise<string> {
  const config = configOf(kind, `${receiver.origin}/${name}`);
  const { id } = of(201, await api('POST', '/integrations', { kind, name, config, ...fields }));
  made.push(id as string);
  return id as string;
}
const integration = async (id: string): Promise<Json> => of(200, await api('GET', `/integrations/${id}`));
const newEvent = async () =>
  of(201, await api('POST', '/keys', { name: 'An event', scopes: ['usage:read'] }));
const deliveriesOf = async (id: string): Promise<readonly Json[]> =>
  of(200, await api('GET', `/integrations/${id}/deliveries`)).data as readonly Json[];

interface SentSpan {
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

function spansIn(body: Buffer): readonly SentSpan[] {
  const { resourceSpans } = JSON.parse(body.toString()) as Json;
  return (resourceSpans as Json[]).flatMap(({ scopeSpans }) =>
    (scopeSpans as Json[]).flatMap(({ spans }) => spans as SentSpan[]),
  );
}

function expectAllowed(span: SentSpan | undefined): void {
  const attributes = Object.fromEntries(span!.attributes.map(({ key, value }) => [key, value]));
  for (const name of Object.keys(attributes)) expect(SPAN_ATTRIBUTES).toContain(name);
  expect(attributes).toMatchObject({
    'gen_ai.operation.name': { stringValue: 'chat' },
    'gen_ai.request.model': { stringValue: MODEL },
    'svc.attempts': { intValue: expect.anything() as unknown },
    'svc.cost_nanos': { intValue: expect.anything() as unknown },
  });
}

it.each(['json', 'protobuf'])(
  'calls are told to a collector as spans, in %s, without what they say',
  async (encoding) => {
    const path = `/otlp-${encoding}`;
    const config = { url: receiver.origin + path, encoding, headers: { 'x-api-key': 'of-the-collector' } };
    const id = await newIntegration('otlp', encoding, { config });
    const test = of(200, await api('POST', `/integrations/${id}/test`));
    expect(test.event_type).toBe('integration.test');
    const sent = () => receiver.at(`${path}/v1/traces`);
    await eventually(() => {
      expect(sent().map(({ body }) => body.includes('svc.test'))).toEqual([true]);
    });

    const requestIds: string[] = [];
    const firstTold = () => sent().find(({ body }) => requestIds.some((id) => body.includes(id)));
    // The integration is known everywhere within 30 s. Calls before that may be left out.
    await eventually(async () => {
      const body = { model: MODEL, messages: [{ role: 'user', content: CANARY }], user: CANARY };
      const answer = await post(svc, '/v1/chat/completions', body, { headers: { 'x-note': CANARY_HEADER } });
      requestIds.push(answer.headers.get('x-request-id') ?? 'none');
      await eventually(() => {
        expect(firstTold()).toBeDefined();
      }, 1_000);
    }, 60_000);
    const told = firstTold();
    expect(told?.headers).toMatchObject({
      'x-api-key': 'of-the-collector',
      'content-type': encoding === 'json' ? 'application/json' : 'application/x-protobuf',
    });
    expect(told?.body.includes(`chat ${MODEL}`)).toBe(true);
    if (encoding === 'json') expectAllowed(spansIn(told!.body).find((span) => span.name === `chat ${MODEL}`));
    for (const hidden of [CANARY, CANARY_HEADER, svc.apiKey]) {
      expect(
        receiver.calls
          .filter(({ path: at }) => at.startsWith(path))
          .some(({ body }) => body.includes(hidden)),
      ).toBe(false);
    }
  },
);

it('what a collector refuses counts as a failure of its integration', async () => {
  receiver.answer('/refusing/v1/traces', (response) => response.writeHead(400).end());
  const id = await newIntegration('otlp', 'refusing');
  await eventually(async () => {
    await post(svc, '/v1/chat/completions', { model: MODEL, messages: [{ role: 'user', content: 'Hi' }] });
    expect((await integration(id)).consecutive_failures).toBeGreaterThan(0);
  }, 60_000);
});

/** Of each kind, its documented answers, and what they mean. Each integration is told of one event. */
const answers = [
  ['slack', 200, {}, { status: 'succeeded', attempt_count: 1 }],
  ['discord', 204, {}, { status: 'succeeded', attempt_count: 1 }],
  ['teams', 202, {}, { status: 'succeeded', attempt_count: 1 }],
  ['pagerduty', 202, {}, { status: 'succeeded', attempt_count: 1 }],
  ['slack', 404, {}, { status: 'dead', attempt_count: 1 }],
  ['slack', 410, {}, { status: 'dead', attempt_count: 1 }],
  ['discord', 404, {}, { status: 'dead', attempt_count: 1 }],
  ['discord', 410, {}, { status: 'dead', attempt_count: 1 }],
  ['teams', 404, {}, { status: 'dead', attempt_count: 1 }],
  ['teams', 410, {}, { status: 'dead', attempt_count: 1 }],
  ['pagerduty', 400, {}, { status: 'dead', attempt_count: 1 }],
  ['slack', 400, {}, { status: 'dead', attempt_count: 6 }],
  ['pagerduty', 404, {}, { status: 'dead', attempt_count: 6 }],
  ['discord', 429, { 'retry-after': '3600' }, { status: 'failed', attempt_count: 1 }],
  ['pagerduty', 429, { 'retry-after': '86400' }, { status: 'failed', attempt_count: 1 }],
  ['teams', 500, {}, { status: 'dead', attempt_count: 6 }],
] as const;

it('each kind takes its service’s answers as that service documents them', async () => {
  const wanted = [];
  for (const [kind, code, headers, outcome] of answers) {
    const name = `${kind}-${String(code)}`;
    receiver.answer(`/${name}`, (response) => response.writeHead(code, headers).end());
    const id = await newIntegration(kind, name, { event_types: ['api_key.created'] });
    // A pager is told of alerts and incidents only.
    if (kind === 'pagerduty') of(200, await api('POST', `/integrations/${id}/test`));
    wanted.push({ id, name, code, outcome, headers });
  }
  const hanging = await newIntegration('slack', 'hanging', { event_types: ['api_key.created'] });
  receiver.answer('/hanging', () => undefined);
  await newEvent();
  for (const { id, name, code, outcome, headers } of wanted) {
    await eventually(async () => {
      const [delivery] = await deliveriesOf(id);
      expect([name, delivery]).toEqual([name, expect.objectContaining(outcome)]);
      expect(delivery?.attempts_log.at(-1)).toMatchObject({ status_code: code, error: null });
      if (!('retry-after' in headers)) return;
      // Up to an hour is obeyed, whatever is asked for.
      const waitMs = Date.parse(delivery?.next_attempt_at as string) - Date.now();
      expect(waitMs).toBeGreaterThan(3_500_000);
      expect(waitMs).toBeLessThanOrEqual(3_601_000);
    }, 60_000);
    expect(receiver.at(`/${name}`)).toHaveLength(outcome.attempt_count);
  }
  await eventually(async () => {
    expect((await deliveriesOf(hanging))[0]?.attempts_log[0]).toMatchObject({
      status_code: null,
      error: 'timeout',
    });
  }, 30_000);
});

it('an alert is told once to whom its rule names and to whom subscribes to it, and its end too', async () => {
  const both = await newIntegration('slack', 'both', { event_types: ['alert.*'] });
  const named = await newIntegration('pagerduty', 'named', { event_types: ['api_key.revoked'] });
  const subscribed = await newIntegration('teams', 'subscribed', { event_types: ['alert.*'] });
  const rule = of(
    201,
    await api('POST', '/alert-rules', {
      name: 'Low @channel <https://evil.example|wallet>',
      metric: 'wallet_available_nanos',
      threshold: Number.MAX_SAFE_INTEGER,
      keep_firing_seconds: 0,
      notify: { integration_ids: [both, named] },
    }),
  );
  const told = (count: number) =>
    eventually(async () => {
      for (const id of [both, named, subscribed]) {
        const deliveries = await deliveriesOf(id);
        expect([id, deliveries.map(({ status }) => status as string)]).toEqual([
          id,
          Array(count).fill('succeeded'),
        ]);
      }
    }, 30_000);
  await told(1);
  of(200, await api('PATCH', `/alert-rules/${rule.id as string}`, { threshold: 0 }));
  await told(2);
  const events = receiver.at('/named').map(({ body }) => JSON.parse(body.toString()) as Json);
  expect(events.map(({ event_action }) => event_action as string)).toEqual(['trigger', 'resolve']);
  expect(events[1]?.dedup_key).toBe(events[0]?.dedup_key);
  expect(events[0]?.routing_key).toBe('R'.repeat(32));
  // The name neither mentions nor links.
  const slack = receiver.at('/both')[0]?.body.toString();
  expect(slack).toContain('wallet');
  expect(slack).not.toMatch(/@channel|<https|https:\/\/evil/);
});

it('one that always fails is disabled, gets tests all the same, and what waited once it is enabled', async () => {
  const id = await newIntegration('slack', 'broken', { event_types: ['api_key.created'] });
  receiver.answer('/broken', (response) => response.writeHead(500).end());
  for (let event = 0; event < 5; event++) await newEvent();
  await eventually(async () => {
    expect(await integration(id)).toMatchObject({
      state: 'disabled',
      enabled: false,
      disabled_reason: 'consecutive_failures',
    });
  }, 40_000);
  const { data } = of(200, await api('GET', `/audit-log?action=integration.disable&target_id=${id}`));
  expect(data).toMatchObject([{ actor: { type: 'system' } }]);

  receiver.answer('/broken', (response) => response.end());
  of(200, await api('POST', `/integrations/${id}/test`));
  await eventually(async () => {
    expect(await deliveriesOf(id)).toContainEqual(
      expect.objectContaining({ event_type: 'integration.test', status: 'succeeded' }),
    );
  });
  await newEvent();
  of(200, await api('PATCH', `/integrations/${id}`, { enabled: true }));
  await eventually(async () => {
    expect((await deliveriesOf(id))[0]).toMatchObject({ event_type: 'api_key.created', status: 'succeeded' });
  }, 30_000);
  expect(await integration(id)).toMatchObject({ state: 'active', consecutive_failures: 0 });
});

it('the calls of a minute are told as metrics once it is over, in delta temporality', async () => {
  const text = () =>
    receiver
      .at('/all/v1/metrics')
      .map(({ body }) => body.toString())
      .join('\n');
  await eventually(() => {
    expect(text()).toContain(MODEL);
  }, 100_000);
  expect(text()).toContain('"svc.calls"');
  expect(text()).toContain('"aggregationTemporality":1');
  expect(text()).not.toContain('"aggregationTemporality":2');
  expect(text()).not.toContain(CANARY);
});
