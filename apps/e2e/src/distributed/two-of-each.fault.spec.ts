import { eventually, inParallel } from '@svc/testing';
import { catalogOf, testModel } from '../harness/catalog-file';
import { openAiClient, outcomeOf, post, svcOf } from '../harness/clients';
import { startInstallation, type Installation } from '../harness/installation';
import { OVERLOADED, sentAgain } from '../harness/sent-again';
import { sleep } from '../harness/sleep';
import { type Svc } from '../harness/svc-process';
import { callApi } from '../oauth/oauth-app';
import { GATED_USAGE, startGatedUpstream, type GatedUpstream } from './gated-upstream';
import { CHAT } from './lanes';
import { expectBalanced, openBooks } from './proven-books';
import { newKey, newTenant, of, type InferenceKey, type Tenant } from './tenant';
import { WebhookReceiver } from './webhook-receiver';

const CREDIT = 10n ** 12n;
const WALLET_CALLS = Number(process.env.SVC_WALLET_CALLS ?? 200);
const BUDGET_CALLS = Number(process.env.SVC_BUDGET_CALLS ?? 500);
const KEYED_CALLS = Number(process.env.SVC_KEYED_CALLS ?? 100);
/** Enough for each dispatcher to get some: all events of an organization are in one partition. */
const TENANTS = 12;
const ENDPOINTS_EACH = 4;
const EVENTS_EACH = Number(process.env.SVC_EVENTS ?? 12);
const ANSWER_AFTER_MS = 100;
const IN_FLIGHT_MAX = 8;

/** Less than the cache TTL of 10 s, so that only the change feed can be this fast (docs/decisions/0007). */
const AT_ONCE_MS = 5_000;

let upstream: GatedUpstream;
let svc: Installation;
/** The edges, without the proxy that would balance between them. */
let edges: readonly Svc[];
const BODY = { model: testModel, max_tokens: 100, messages: [{ role: 'user', content: 'How long is now?' }] };

const edgeOf = (nth: number): Svc => edges[nth % edges.length]!;
const send = (nth: number, secret: string, headers: Record<string, string> = {}) =>
  post(edgeOf(nth), CHAT, BODY, { headers: { authorization: `Bearer ${secret}`, ...headers } });

interface Crowd {
  /** How many were sent upstream. */
  readonly admitted: number;
  readonly outcomes: Readonly<Record<string, number>>;
  /** How often a call was sent again. Each time may have taken from a bucket. */
  readonly sentAgainCount: number;
  /** From the first call to the last decision. */
  readonly decidedInMs: number;
}

/** Sends calls to the two edges concurrently; none is answered before all are admitted or refused. */
async function crowd(count: number, secretOf: (nth: number) => string, headers = {}): Promise<Crowd> {
  const beganAtMs = performance.now();
  let refused = 0;
  let sentAgainCount = 0;
  const sending = Array.from({ length: count }, async (_, nth) => {
    const outcome = await sentAgain(
      async () => outcomeOf(await send(nth, secretOf(nth), headers)),
      (ended) => ended === OVERLOADED,
      () => sentAgainCount++,
    );
    if (outcome !== '200') refused++;
    return outcome;
  });
  await eventually(() => {
    expect(refused + upstream.received()).toBe(count);
  }, 90_000);
  const decidedInMs = performance.now() - beganAtMs;
  const admitted = upstream.received();
  upstream.open();
  const byOutcome = Map.groupBy(await Promise.all(sending), (outcome) => outcome);
  return {
    admitted,
    sentAgainCount,
    decidedInMs,
    outcomes: Object.fromEntries([...byOutcome].map(([outcome, { length }]) => [outcome, length])),
  };
}

/** The hold of such a call. */
async function holdOf(tenant: Tenant, key: InferenceKey): Promise<bigint> {
  const audit = await openBooks(svc, tenant);
  const running = send(0, key.secret);
  const held = await eventually(async () => {
    const { heldNanos } = await audit.books();
    expect(heldNanos).toBeGreaterThan(0n);
    return heldNanos;
  });
  await eventually(() => {
    expect(upstream.received()).toBe(1);
  });
  upstream.open();
  expect((await running).status).toBe(200);
  await audit.close();
  upstream.shut();
  return held;
}

describe('two of each service', () => {
  beforeAll(async () => {
    upstream = await startGatedUpstream();
    svc = await startInstallation({
      edges: 2,
      dispatchers: 2,
      workers: 2,
      catalog: catalogOf({
        name: 'gated',
        url: upstream.url,
        timeoutMs: { first_byte: 90_000, idle: 90_000 },
      }),
      env: { SVC_WEBHOOK_ALLOW_PRIVATE: 'true' },
    });
    edges = svc.edges.map(({ url }) => ({ ...svc, baseUrl: url }));
    // Warms the processes up: many calls at a cold process wait for seconds, and Redis must answer in time.
    upstream.open();
    for (let round = 0; round < 5; round++) {
      await inParallel(Array.from({ length: 40 }), 40, async (_, nth) =>
        outcomeOf(await send(nth, svc.apiKey)),
      );
    }
  });
  beforeEach(() => {
    upstream.shut();
  });
  afterAll(async () => {
    await svc.stop();
    await upstream.close();
  });

  describe('buckets over two edges', () => {
    /** A full bucket, and what was refilled while the calls were decided. */
    const expectExactly = ({ admitted, sentAgainCount, decidedInMs }: Crowd, capacity: number) => {
      expect(admitted).toBeGreaterThanOrEqual(capacity - sentAgainCount);
      expect(admitted).toBeLessThanOrEqual(capacity + Math.floor((decidedInMs / 60_000) * capacity));
    };

    it('admit the requests of one bucket, and name that bucket in the other answers', async () => {
      const tenant = await newTenant(svc, CREDIT);
      const { secret } = await newKey(svc, tenant, { rate_limit_rpm: 30 });
      const came = await crowd(120, () => secret);
      expectExactly(came, 30);
      expect(came.outcomes).toEqual({ '200': came.admitted, '429 rate_limit requests': 120 - came.admitted });
    });

    it('admit the tokens of one bucket', async () => {
      const tenant = await newTenant(svc, CREDIT);
      const probe = await newKey(svc, tenant, { rate_limit_tpm: 1000 });
      upstream.open();
      const first = await send(0, probe.secret);
      const estimate = 1000 - Number(first.headers.get('x-ratelimit-remaining'));
      expect(first.headers.get('x-ratelimit-limit')).toBe('1000');
      upstream.shut();

      const { secret } = await newKey(svc, tenant, { rate_limit_tpm: 20 * estimate });
      const came = await crowd(80, () => secret);
      expectExactly(came, 20);
      expect(came.outcomes).toEqual({ '200': came.admitted, '429 rate_limit tokens': 80 - came.admitted });
    });

    it('admit what the organization may call, with any of its keys', async () => {
      const tenant = await newTenant(svc, CREDIT, { rate_limit_rpm: 40, rate_limit_tpm: 1_000_000_000 });
      const keys = await Promise.all([newKey(svc, tenant), newKey(svc, tenant), newKey(svc, tenant)]);
      const came = await crowd(120, (nth) => keys[nth % keys.length]!.secret);
      expectExactly(came, 40);
      expect(came.outcomes).toEqual({ '200': came.admitted, '429 rate_limit requests': 120 - came.admitted });
    });
  });

  it('two edges count the calls that they refused together', async () => {
    const tenant = await newTenant(svc, CREDIT);
    const { secret } = await newKey(svc, tenant);
    const body = { ...BODY, model: 'made/up' };
    await inParallel(Array.from({ length: 60 }), IN_FLIGHT_MAX, async (_, nth) => {
      const answer = await post(edgeOf(nth), CHAT, body, { headers: { authorization: `Bearer ${secret}` } });
      expect(await outcomeOf(answer)).toBe('404 not_found model');
    });
    await eventually(async () => {
      const counted = await callApi(svc.baseUrl, 'GET', '/api/v1/usage/refusals', tenant.apiKey);
      expect(of(200, counted).data).toMatchObject([{ code: 'not_found', model: null, count: 60 }]);
    });
  });

  describe('money over two edges', () => {
    it(`a wallet for 20 calls lets 20 of ${String(WALLET_CALLS)} run`, async () => {
      const rich = await newTenant(svc, CREDIT);
      const hold = await holdOf(rich, await newKey(svc, rich));
      const tenant = await newTenant(svc, 20n * hold + hold - 1n);
      const { secret } = await newKey(svc, tenant);
      const audit = await openBooks(svc, tenant);

      const { admitted, outcomes } = await crowd(WALLET_CALLS, () => secret);
      expect(admitted).toBe(20);
      expect(outcomes).toEqual({ '200': 20, '402 insufficient_funds': WALLET_CALLS - 20 });
      await expectBalanced(audit);
      expect(await audit.calls()).toHaveLength(20);
      expect((await audit.books()).balanceNanos).toBeGreaterThanOrEqual(0n);
      await audit.close();
    });

    it(`a blocking budget for 50 calls lets 50 of ${String(BUDGET_CALLS)} run`, async () => {
      const tenant = await newTenant(svc, CREDIT);
      const hold = await holdOf(tenant, await newKey(svc, tenant));
      const key = await newKey(svc, tenant);
      const budget = {
        name: 'fifty',
        scope: 'api_key',
        scope_id: key.id,
        period: 'day',
        amount_nanos: Number(50n * hold + hold - 1n),
        action: 'block',
      };
      const made = await callApi(svc.baseUrl, 'POST', '/api/v1/budgets', tenant.apiKey, budget);
      const { id } = of(201, made) as { id: string };

      const { admitted, outcomes } = await crowd(BUDGET_CALLS, () => key.secret);
      expect(admitted).toBe(50);
      expect(outcomes).toEqual({ '200': 50, '402 budget_exceeded budget': BUDGET_CALLS - 50 });
      const audit = await openBooks(svc, tenant);
      await expectBalanced(audit);
      const { spent_nanos: spent } = of(
        200,
        await callApi(svc.baseUrl, 'GET', `/api/v1/budgets/${id}`, tenant.apiKey),
      ) as { spent_nanos: number };
      const charges = [...(await audit.charges())].filter(([, [amount]]) => amount !== undefined);
      // The 50 calls of the key, and the one that showed the hold of a call.
      expect(charges).toHaveLength(51);
      expect(spent * 51).toBe(Number((await audit.books()).chargedNanos) * 50);
      await audit.close();
    });
  });

  it(`${String(KEYED_CALLS)} calls with one idempotency key at two edges are one call`, async () => {
    const tenant = await newTenant(svc, CREDIT);
    const { secret } = await newKey(svc, tenant);
    const headers = { 'idempotency-key': 'only-once' };
    const { admitted, outcomes } = await crowd(KEYED_CALLS, () => secret, headers);
    expect(admitted).toBe(1);
    const [inProgress] = Object.keys(outcomes).filter((outcome) => outcome !== '200');
    expect(inProgress).toMatch(/^409 idempotency_in_progress/);
    expect(outcomes).toEqual({ '200': 1, [inProgress!]: KEYED_CALLS - 1 });

    const replays = await inParallel(Array.from({ length: KEYED_CALLS }), KEYED_CALLS, async (_, nth) => {
      const response = await send(nth, secret, headers);
      expect(response.headers.get('idempotency-replayed')).toBe('true');
      return [response.status, response.headers.get('x-request-id'), await response.text()].join(' ');
    });
    expect(new Set(replays).size).toBe(1);
    expect(upstream.received()).toBe(1);
    const audit = await openBooks(svc, tenant);
    await expectBalanced(audit);
    expect([...(await audit.charges()).values()].flat()).toHaveLength(1);
    await audit.close();
  });

  describe('a change by the management API takes effect at both edges at once', () => {
    let tenant: Tenant;
    beforeAll(async () => {
      tenant = await newTenant(svc, CREDIT);
    });
    beforeEach(() => {
      upstream.open();
    });
    /** How the next call ends at each edge. */
    const atBoth = (secret: string) => Promise.all([0, 1].map((nth) => send(nth, secret).then(outcomeOf)));
    const scoped = (path: string) => `/api/v1/organizations/${tenant.organizationId}${path}`;

    it('of a key that is revoked', async () => {
      for (let round = 0; round < 10; round++) {
        const key = await newKey(svc, tenant);
        expect(await atBoth(key.secret)).toEqual(['200', '200']);
        of(204, await callApi(svc.baseUrl, 'DELETE', scoped(`/keys/${key.id}`), tenant.apiKey));
        await eventually(async () => {
          expect(await atBoth(key.secret)).toEqual(['401 invalid_api_key', '401 invalid_api_key']);
        }, AT_ONCE_MS);
      }
    });

    it('of a key’s limits', async () => {
      const key = await newKey(svc, tenant, { rate_limit_rpm: 500 });
      const limits = () =>
        Promise.all(
          [0, 1].map(async (nth) => (await send(nth, key.secret)).headers.get('x-ratelimit-limit')),
        );
      expect(await limits()).toEqual(['500', '500']);
      for (const rpm of [123, 77]) {
        const change = { rate_limit_rpm: rpm };
        of(200, await callApi(svc.baseUrl, 'PATCH', scoped(`/keys/${key.id}`), tenant.apiKey, change));
        await eventually(async () => {
          expect(await limits()).toEqual([String(rpm), String(rpm)]);
        }, AT_ONCE_MS);
      }
    });
  });

  it('the official client is served by both, and each call is charged once', async () => {
    const tenant = await newTenant(svc, CREDIT);
    const { secret } = await newKey(svc, tenant);
    upstream.open();
    const costs = await inParallel(Array.from({ length: 20 }), 10, async (_, nth) => {
      const answer = await openAiClient(edgeOf(nth), secret).chat.completions.create({
        model: testModel,
        messages: [{ role: 'user', content: 'Hello' }],
      });
      expect(answer.usage).toMatchObject(GATED_USAGE);
      return svcOf(answer).cost.customer_nanos;
    });
    const audit = await openBooks(svc, tenant);
    await expectBalanced(audit);
    expect((await audit.books()).chargedNanos).toBe(BigInt(costs.reduce((sum, cost) => sum + cost, 0)));
    await audit.close();
  });

  describe('webhooks from two dispatchers', () => {
    const deliveryCount = TENANTS * EVENTS_EACH * ENDPOINTS_EACH;
    let receiver: WebhookReceiver;
    let tenants: Tenant[];
    beforeAll(async () => {
      receiver = await WebhookReceiver.start(ANSWER_AFTER_MS);
      tenants = await inParallel(Array.from({ length: TENANTS }), 4, () => newTenant(svc, 0n));
      for (const [nth, { apiKey }] of tenants.entries()) {
        for (let endpoint = 0; endpoint < ENDPOINTS_EACH; endpoint++) {
          const url = `${receiver.url}/${String(nth)}/${String(endpoint)}`;
          const body = { url, event_types: ['api_key.created'] };
          of(201, await callApi(svc.baseUrl, 'POST', '/api/v1/webhook-endpoints', apiKey, body));
        }
      }
    });
    afterAll(() => receiver.close());

    /** Waits for them, and a moment longer for duplicates. */
    const arrived = async (count: number) => {
      await eventually(() => {
        expect(receiver.arrivals.length).toBeGreaterThanOrEqual(count);
      }, 90_000);
      await sleep(2_000);
      expect(receiver.arrivals).toHaveLength(count);
      const most = Math.max(...receiver.peaks.values());
      const shares = await Promise.all(svc.dispatchers.map(({ url }) => attemptsOf(url)));
      report(
        `${String(count)} deliveries, ${shares.join(' and ')} by each; ${String(most)} at most to an endpoint`,
      );
      expect(most).toBeLessThanOrEqual(IN_FLIGHT_MAX);
      // Otherwise one dispatcher alone would have sent all.
      for (const share of shares) expect(share).toBeGreaterThan(0);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(count);
    };

    it('each event is one delivery per endpoint, sent once', async () => {
      const keys = await inParallel(Array.from({ length: TENANTS * EVENTS_EACH }), 8, (_, nth) =>
        newKey(svc, tenants[nth % TENANTS]!),
      );
      await arrived(deliveryCount);
      expect(receiver.byDelivery().size).toBe(deliveryCount);
      for (const { id } of keys) expect(receiver.firstOf(id).size).toBe(ENDPOINTS_EACH);
    });

    it('retries that are due for both at the same moment are sent once, at most 8 at a time to an endpoint', async () => {
      await inParallel(tenants, 8, async ({ apiKey }) => {
        const { data } = of(
          200,
          await callApi(svc.baseUrl, 'GET', '/api/v1/webhook-endpoints?limit=100', apiKey),
        ) as { data: { id: string }[] };
        for (const { id } of data) {
          const path = `/api/v1/webhook-endpoints/${id}/deliveries/retry`;
          const range = { status: 'succeeded', since: '2020-01-01T00:00:00.000Z' };
          const { count } = of(200, await callApi(svc.baseUrl, 'POST', path, apiKey, range)) as {
            count: number;
          };
          expect(count).toBe(EVENTS_EACH);
        }
      });
      await arrived(2 * deliveryCount);
      for (const sent of receiver.byDelivery().values()) expect(sent).toHaveLength(2);
    });
  });
});

const report = (what: string) => {
  process.stderr.write(`two of each: ${what}\n`);
};

/** The attempts of a dispatcher so far, by its own metric. */
async function attemptsOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts = [...text.matchAll(/^svc_webhook_attempts_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}
