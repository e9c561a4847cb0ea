import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '@svc/runtime';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { type Span } from '@svc/telemetry';
import { eventually } from '@svc/testing';
import { TestCollector } from '../testing/collector';
import { systemAddresses } from '../transport/resolve-addresses';
import { WebhookTransport } from '../transport/webhook-transport';
import { Collectors } from './collectors';
import { type Collector } from './otlp-integrations';
import { Telemetry } from './telemetry';

const LINGER_MS = 100;
/** A time-out that cannot be what ended a wait. */
const NEVER_MS = 2 ** 30;
const span = (name: string): Span => ({
  name,
  traceId: 'a'.repeat(32),
  spanId: 'b'.repeat(16),
  parentSpanId: null,
  startMs: 1_795_000_000_000,
  endMs: 1_795_000_001_000,
  hasFailed: false,
  attributes: { 'svc.request_id': 'req_1' },
});
const names = (count: number, from = 0) => Array.from({ length: count }, (_, n) => String(from + n));

let collectors: TestCollector[];
let telemetry: Telemetry;
let integrations: Collector[];
let rejected: number[];
let minutes: number[];
let health: string[];
let metrics: ReturnType<typeof createMetrics>;
beforeEach(() => {
  [collectors, integrations, rejected, minutes, health] = [[], [], [], [], []];
});
afterEach(async () => {
  await telemetry.onApplicationShutdown();
  await Promise.all(collectors.map((collector) => collector.close()));
});

const open = async (change: Partial<Collector> = {}): Promise<TestCollector> => {
  const collector = await TestCollector.start();
  collectors.push(collector);
  integrations.push({
    id: `int_${String(integrations.length)}`,
    organizationId: 'org_1',
    url: collector.url,
    signals: ['traces', 'metrics'],
    encoding: 'json',
    headers: { 'X-Api-Key': 'their secret' },
    ...change,
  });
  return collector;
};
const start = ({
  timeoutMs = 500,
  allowPrivate = true,
  drainMs = 2_000,
  lingerMs = LINGER_MS,
} = {}): Telemetry => {
  metrics = createMetrics('otlp-spec');
  const sum = {
    organizationId: 'org_1',
    projectId: null,
    apiKeyId: 'key_1',
    model: 'acme/small',
    provider: 'acme',
  };
  const times = { boundsMs: [1], counts: [1, 0] };
  const counts = { calls: 2, failures: 0, inputTokens: 5, outputTokens: 5, spentNanos: 5 };
  telemetry = new Telemetry({
    integrations: {
      of: (id) => Promise.resolve(integrations.filter(({ organizationId }) => organizationId === id)),
      current: (_, id) => Promise.resolve(integrations.find((each) => each.id === id) ?? null),
    },
    collectors: new Collectors({
      transport: new WebhookTransport({ policy: { allowPrivate }, resolve: systemAddresses, timeoutMs }),
      clock: systemClock,
      random: () => 0,
      logger: createLogger({ service: 'otlp-spec', level: 'silent' }),
      onRejected: (_, count) => rejected.push(count),
    }),
    cursors: {
      claim: () =>
        Promise.resolve(
          minutes
            .splice(0)
            .map((minuteMs) => ({ integrationId: 'int_0', organizationId: 'org_1', minuteMs })),
        ),
    },
    sumsOf: () => Promise.resolve([{ ...sum, ...counts, durations: times, timesToFirstToken: times }]),
    health: {
      note: (id, outcome) => {
        health.push(`${id} ${outcome}`);
        return Promise.resolve();
      },
    },
    metrics,
    lingerMs,
    drainMs,
  });
  return telemetry;
};
const add = async (...spans: readonly string[]) => {
  for (const name of spans) await telemetry.addSpan('org_1', span(name));
};
const dropped = async (name = 'svc_otlp_spans_dropped_total') =>
  (await metrics.getSingleMetric(name)!.get()).values[0]?.value;

describe('the spans of an organization', () => {
  it('go to each of its collectors of traces, with the headers of the integration, and to nobody else', async () => {
    const [first, second] = [await open(), await open({ headers: {} })];
    const other = await open({ organizationId: 'org_2' });
    const ofMetrics = await open({ signals: ['metrics'] });
    start();
    await add('chat a', 'chat b');
    await eventually(() =>
      expect([first.batches, second.batches]).toEqual([[['chat a', 'chat b']], [['chat a', 'chat b']]]),
    );
    expect(first.requests[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'content-type': 'application/json', 'x-api-key': 'their secret' },
    });
    expect(second.requests[0]?.headers).not.toHaveProperty('x-api-key');
    expect([...other.requests, ...ofMetrics.requests]).toEqual([]);
  });

  it('are sent 512 at a time, and after a while when there are fewer', async () => {
    const collector = await open();
    start({ lingerMs: 1_000 });
    await add(...names(1_030));
    await eventually(() => expect(collector.batches).toHaveLength(2));
    expect(collector.batches.map(({ length }) => length)).toEqual([512, 512]);
    await eventually(() => expect(collector.batches.flat()).toEqual(names(1_030)));
  });

  it('are sent again after 429, 502, 503 and 504, not before Retry-After, and in order', async () => {
    const collector = await open();
    const statuses = [429, 502, 503, 504];
    const at: number[] = [];
    collector.answer = (response) => {
      at.push(performance.now());
      const status = statuses.shift();
      if (status === undefined) return void response.end();
      response.writeHead(status, { 'retry-after': status === 429 ? '1' : '0' }).end();
    };
    start();
    await add('a', 'b');
    await eventually(() => expect(collector.batches).toHaveLength(5));
    expect(collector.batches).toEqual(Array(5).fill(['a', 'b']));
    expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(999);
    expect(await dropped()).toBe(0);
    await eventually(() => expect(health).toEqual([...Array(4).fill('int_0 failed'), 'int_0 acknowledged']));
  });

  it('are dropped and counted after any other refusal, and those after them are sent', async () => {
    const collector = await open();
    collector.answer = (response) =>
      void response.writeHead(collector.requests.length === 1 ? 400 : 200).end();
    start();
    await add('refused');
    await eventually(async () => expect(await dropped()).toBe(1));
    await add('taken');
    await eventually(() => expect(collector.batches).toEqual([['refused'], ['taken']]));
    expect(await dropped()).toBe(1);
    await eventually(() => expect(health).toEqual(['int_0 failed', 'int_0 acknowledged']));
  });

  it('are not sent again after a partial success, whose rejected spans are counted', async () => {
    const collector = await open();
    collector.answer = (response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ partialSuccess: { rejectedSpans: '2', errorMessage: 'too old' } }));
    };
    start();
    await add('a', 'b', 'c');
    await eventually(() => expect(rejected).toEqual([2]));
    await pause(3 * LINGER_MS);
    expect(collector.requests).toHaveLength(1);
  });

  it('wait while a collector hangs, and delay no other collector', async () => {
    const [hanging, quick] = [await open(), await open()];
    let letGo: () => unknown = () => undefined;
    hanging.answer = (response) => (letGo = () => response.destroy());
    start({ timeoutMs: NEVER_MS });
    await add('a');
    await eventually(() => expect(hanging.requests).toHaveLength(1));
    await add('b');
    // The call to the one that hangs is still open.
    await eventually(() => expect(quick.batches.flat()).toEqual(['a', 'b']));
    hanging.answer = (response) => void response.end();
    letGo();
    await eventually(() => expect(hanging.batches.at(-1)).toEqual(['a', 'b']));
    await telemetry.onApplicationShutdown();

    // It is waited for no longer than the time-out.
    hanging.answer = () => undefined;
    start({ timeoutMs: 200 });
    await add('c');
    await eventually(() => expect(hanging.requests.length).toBeGreaterThan(3));
    hanging.answer = (response) => void response.end();
    await eventually(() => expect(hanging.batches.at(-1)).toEqual(['c']));
  });

  it('are at most 10,000 that wait: then the oldest are dropped and counted', async () => {
    const collector = await open();
    let refuse: () => void = () => undefined;
    collector.answer = (response) => {
      refuse = () => void response.writeHead(503, { 'retry-after': '0' }).end();
    };
    start({ timeoutMs: 30_000 });
    await add('first');
    await eventually(() => expect(collector.requests).toHaveLength(1));
    await add(...names(10_000));
    collector.answer = (response) => void response.end();
    refuse();
    await eventually(() => expect(collector.batches.slice(1).flat()).toEqual(names(10_000)), 30_000);
    expect(await dropped()).toBe(1);
  });

  it('go nowhere that the URL rule forbids', async () => {
    const collector = await open();
    start({ allowPrivate: false });
    await add('a');
    await eventually(async () => expect(await dropped()).toBe(1));
    expect(collector.requests).toEqual([]);
  });

  it('that wait for an integration are dropped when it is paused or deleted', async () => {
    const collector = await open();
    start();
    await add('a');
    integrations.pop();
    await eventually(async () => expect(await dropped()).toBe(1));
    expect(collector.requests).toEqual([]);
  });

  it('are sent at a shutdown, which a hanging collector delays for a bounded time', async () => {
    const [hanging, quick] = [await open(), await open()];
    hanging.answer = () => undefined;
    start({ lingerMs: NEVER_MS, timeoutMs: NEVER_MS, drainMs: 1_000 });
    await add(...names(600));
    await telemetry.onApplicationShutdown();
    expect(quick.batches.flat()).toEqual(names(600));
  });
});

describe('the metrics of a minute', () => {
  it('are sent once, of the minute', async () => {
    const collector = await open();
    start();
    minutes = [1_795_000_020_000];
    await telemetry.sendMinutes();
    await telemetry.sendMinutes();
    await eventually(() => expect(collector.requests).toHaveLength(1));
    expect(collector.requests[0]?.path).toBe('/v1/metrics');
    const body = collector.requests[0]!.body.toString();
    expect(body).toContain('"startTimeUnixNano":"1795000020000000000"');
    expect(body).toContain('"svc.calls"');
  });

  it('wait while the collector is away', async () => {
    const collector = await open();
    collector.answer = (response) =>
      void response.writeHead(collector.requests.length === 1 ? 503 : 200).end();
    start();
    minutes = [1_795_000_020_000];
    await telemetry.sendMinutes();
    await eventually(() => expect(collector.requests).toHaveLength(2));
    expect(collector.requests[0]!.body).toEqual(collector.requests[1]!.body);
  });
});
