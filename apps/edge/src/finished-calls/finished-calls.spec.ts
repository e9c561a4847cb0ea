import { type CallRecord } from '@svc/messaging';
import { systemClock } from '@svc/runtime';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { eventually } from '@svc/testing';
import { type InferenceCall } from '../call/inference-call';
import { type CallOutcome } from '../settlement/settle-call';
import { FinishedCallReporter } from './finished-call-reporter';
import { TracedOrganizations } from './traced-organizations';

const logger = createLogger({ service: 'edge-spec', level: 'silent' });
const outcome = {
  requestId: 'req_1',
  organizationId: 'org_1',
  projectId: null,
  apiKeyId: 'key_1',
  model: 'acme/small',
  status: 'failed',
  error: { code: 'provider_error', message: 'the prompt was: secret' },
  attempts: [{}, {}],
  servedBy: { provider: { name: 'acme', baseUrl: 'https://secret.example' }, region: 'eu' },
  usage: { inputTokens: 7, cachedInputTokens: 2, cacheWriteTokens: 1, outputTokens: 5, reasoningTokens: 0 },
  durationMs: 250,
} as unknown as CallOutcome;
const call = {
  operation: 'messages',
  trace: null,
  headers: { authorization: 'Bearer secret' },
} as unknown as InferenceCall;

const NOTHING_CHARGED = { customerNanos: 0, providerNanos: 0 };

describe('finished calls', () => {
  let metrics: ReturnType<typeof createMetrics>;
  const reporterFor = (
    handOver: (calls: readonly CallRecord[]) => Promise<void>,
    options: { readonly callsMax?: number; readonly drainMs?: number } = {},
  ) => {
    metrics = createMetrics('edge-spec');
    return new FinishedCallReporter({
      organizations: { has: (id) => id === 'org_1' },
      client: { handOver, close: () => Promise.resolve() },
      clock: { now: () => 1_795_000_000_000 },
      logger,
      metrics,
      ...options,
    });
  };
  const dropped = async () =>
    (await metrics.getSingleMetric('svc_finished_calls_dropped_total')!.get()).values[0]?.value;

  it('of organizations that have them told are handed over by their facts, without anything else', async () => {
    const taken: CallRecord[] = [];
    const reporter = reporterFor(async (calls) => void taken.push(...calls));
    reporter.note(outcome, { customerNanos: 450, providerNanos: 20 }, call);
    reporter.note({ ...outcome, organizationId: 'org_2' }, NOTHING_CHARGED, call);
    await eventually(() => expect(taken).toHaveLength(1));
    expect(taken[0]?.organizationId).toBe('org_1');
    expect(JSON.parse(taken[0]!.payload)).toEqual({
      requestId: 'req_1',
      organizationId: 'org_1',
      projectId: null,
      apiKeyId: 'key_1',
      operation: 'messages',
      model: 'acme/small',
      provider: 'acme',
      region: 'eu',
      attempts: 2,
      inputTokens: 10,
      outputTokens: 5,
      costNanos: 450,
      providerNanos: 20,
      status: 'failed',
      errorCode: 'provider_error',
      startMs: 1_795_000_000_000 - 250,
      endMs: 1_795_000_000_000,
      trace: null,
    });
    expect(taken[0]!.payload).not.toContain('secret');
    await reporter.stop();
  });

  it('are dropped and counted while nobody takes them, and when too many wait', async () => {
    const reporter = reporterFor(() => Promise.reject(new Error('Kafka is away')), { callsMax: 3 });
    for (let n = 0; n < 5; n++) reporter.note(outcome, NOTHING_CHARGED, call);
    expect(await dropped()).toBe(2);
    await eventually(async () => expect(await dropped()).toBe(5));
    await reporter.stop();
  });

  it('are handed over at a shutdown', async () => {
    const taken: CallRecord[] = [];
    const reporter = reporterFor(async (calls) => void taken.push(...calls));
    for (let n = 0; n < 600; n++) reporter.note(outcome, NOTHING_CHARGED, call);
    await reporter.stop();
    expect(taken).toHaveLength(600);
  });

  it('delay a shutdown for a bounded time where Kafka hangs', async () => {
    let handedOver = 0;
    const hanging = () => (handedOver++, new Promise<void>(() => undefined));
    const reporter = reporterFor(hanging, { drainMs: 50 });
    reporter.note(outcome, NOTHING_CHARGED, call);
    // Kafka hangs for ever, so that the shutdown would, too.
    await reporter.stop();
    expect(handedOver).toBe(1);
  });

  it('are none where calls are handed over to nobody', () => {
    const organizations = { has: () => true };
    const options = { organizations, client: null, clock: systemClock, logger };
    new FinishedCallReporter({ ...options, metrics: createMetrics('edge-spec') }).note(
      outcome,
      NOTHING_CHARGED,
      call,
    );
  });
});

describe('traced organizations', () => {
  it('are read at the start, when an integration changes, and again after a failure', async () => {
    let found = new Set(['org_1']);
    let failuresLeft = 0;
    const organizations = new TracedOrganizations({
      find: () => (failuresLeft-- > 0 ? Promise.reject(new Error('away')) : Promise.resolve(found)),
      logger,
      readEveryMs: 200,
    });
    organizations.start();
    await eventually(() => expect(organizations.has('org_1')).toBe(true));
    found = new Set(['org_2']);
    organizations.invalidate({ of: 'policy', organizationId: 'org_2' });
    organizations.invalidate({ of: 'otlpIntegration', organizationId: 'org_2' });
    await eventually(() =>
      expect([organizations.has('org_1'), organizations.has('org_2')]).toEqual([false, true]),
    );
    [found, failuresLeft] = [new Set(), 2];
    await eventually(() => expect(organizations.has('org_2')).toBe(false));
    await organizations.stop();
  });
});
