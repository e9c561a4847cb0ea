import { type ServerResponse } from 'node:http';
import { integrationKinds } from '@svc/deliveries';
import { systemIds } from '@svc/runtime';
import { integrationSecretContext } from '@svc/deliveries/store';
import { eventually } from '@svc/testing';
import { DispatcherWorld } from '../testing/dispatcher-world';
import { NameServer } from '../testing/name-server';
import { status } from '../testing/receiver';
import { sealer } from '../testing/start-dispatcher';
import { publicAddresses } from '../transport/resolve-addresses';
import { WebhookTransport } from '../transport/webhook-transport';

let world: DispatcherWorld;
beforeEach(async () => {
  world = await DispatcherWorld.open();
});
afterEach(() => world.close());

interface Given {
  readonly kind?: string;
  readonly eventTypes?: readonly string[];
  readonly state?: string;
  readonly failures?: number;
  readonly config?: object;
  /** Else the world's receiver. */
  readonly origin?: string;
}

/** An integration whose receiver is at the path of its id. */
async function addIntegration({ kind = 'slack', eventTypes = [], state = 'active', ...given }: Given = {}) {
  const id = systemIds('integration');
  const url = `${given.origin ?? world.receiver.origin}/${id}`;
  const secret = {
    pagerduty: { routing_key: 'R'.repeat(32) },
    otlp: { headers: { 'x-key': 'k' } },
    email: null,
  };
  const own = kind in secret ? secret[kind as keyof typeof secret] : { url };
  const sealed = own && sealer.seal(Buffer.from(JSON.stringify(own)), integrationSecretContext(id));
  await world.sql(
    `INSERT INTO integrations (id, organization_id, kind, name, config, secret_ciphertext, event_types, state, enabled,
       consecutive_failures) VALUES ($1, $2, $3, 'On call', $4, $5, $6, $7, $8, $9)`,
    [
      id,
      world.organizationId,
      kind,
      { url, ...given.config },
      sealed,
      eventTypes,
      state,
      state === 'active' || state === 'failing',
      given.failures ?? 0,
    ],
  );
  return id;
}

/** As a person's click on "Send test". */
const queueTest = (id: string, body = '{"text":"test"}') =>
  world.sql(
    `INSERT INTO integration_deliveries (id, organization_id, integration_id, event_id, event_type, body)
     VALUES ($1, $2, $3, $4, 'integration.test', $5)`,
    [systemIds('webhookDelivery'), world.organizationId, id, systemIds('event'), body],
  );
const deliveriesTo = (id: string) =>
  world.sql<{ id: string; status: string; attempt_count: number; next_attempt_at: Date | null }>(
    'SELECT * FROM integration_deliveries WHERE integration_id = $1 ORDER BY id',
    [id],
  );
const integration = async (id: string) =>
  (
    await world.sql<{ state: string; consecutive_failures: number }>(
      'SELECT * FROM integrations WHERE id = $1',
      [id],
    )
  )[0]!;
const ended = (id: string, wanted: string) =>
  eventually(async () => {
    const [delivery] = await deliveriesTo(id);
    expect(delivery?.status).toBe(wanted);
    return delivery!;
  });
const incident = () =>
  world.newEvent('incident.opened', {
    incident_id: systemIds('incident'),
    state: 'investigating',
    severity: 'major',
    components: ['inference'],
    started_at: '2026-11-20T12:00:00.000Z',
    title: 'The provider acme is failing',
    source: 'automatic',
    providers: ['acme'],
    models: [],
  });

it.each([
  ['slack', 200],
  ['discord', 204],
  ['teams', 202],
  ['pagerduty', 202],
])('%s gets an event it subscribes to, once, and takes it with %i', async (kind, code) => {
  const id = await addIntegration({ kind, eventTypes: ['incident.*'] });
  const other = await addIntegration({ kind, eventTypes: ['budget.*'] });
  world.receiver.answer(`/${id}`, status(code));
  const event = incident();
  const { publish } = world.start();
  await publish([event, event]);
  await ended(id, 'succeeded');
  const [received] = world.receiver.at(`/${id}`);
  expect(received!.body).toContain('The provider acme is failing');
  expect(received!.headers).not.toHaveProperty('svc-signature');
  expect(world.receiver.at(`/${id}`)).toHaveLength(1);
  expect(world.receiver.at(`/${other}`)).toHaveLength(0);
  if (kind === 'pagerduty') {
    expect(JSON.parse(received!.body)).toMatchObject({
      routing_key: 'R'.repeat(32),
      event_action: 'trigger',
    });
    const stored = await world.sql<{ body: string }>('SELECT body FROM integration_deliveries');
    expect(stored[0]!.body).not.toContain('RRRR');
  }
  expect(await integration(id)).toMatchObject({ state: 'active', consecutive_failures: 0 });
});

it.each([
  ['slack', 404],
  ['discord', 410],
  ['pagerduty', 400],
])('a message that %s refuses with %i is dead at once', async (kind, code) => {
  const id = await addIntegration({ kind });
  world.receiver.answer(`/${id}`, status(code));
  await world.start().publish([incident()]);
  expect(await ended(id, 'dead')).toMatchObject({ attempt_count: 1, next_attempt_at: null });
  expect(await integration(id)).toMatchObject({ consecutive_failures: 1 });
});

it('the metric of deliveries is there before the first', async () => {
  const text = await world.start().metrics.metrics();
  for (const kind of integrationKinds) {
    for (const outcome of ['succeeded', 'failed', 'dead', 'void']) {
      const name = `svc_integration_deliveries_total{kind="${kind}",outcome="${outcome}"`;
      expect(text).toContain(name);
    }
  }
});

/** Answers that each service documents, and the fate of the message. */
const documented: readonly (readonly [number | 'hangs', Readonly<Record<string, string>>, string])[] = [
  [200, {}, 'succeeded'],
  [202, {}, 'succeeded'],
  [204, {}, 'succeeded'],
  [400, {}, 'failed'],
  [404, {}, 'failed'],
  [410, {}, 'failed'],
  [429, { 'retry-after': '1800' }, 'failed'],
  ['hangs', {}, 'failed'],
];
const finalAnswers: Readonly<Record<string, readonly unknown[]>> = {
  ...{ slack: [404, 410], discord: [404, 410], teams: [404, 410] },
  ...{ pagerduty: [400], otlp: [] },
};

it.each(Object.keys(finalAnswers))('%s: every documented answer means what it says', async (kind) => {
  const sent = await Promise.all(
    documented.map(async ([answer, headers, outcome]) => {
      const id = await addIntegration({ kind });
      world.receiver.answer(kind === 'otlp' ? `/${id}/v1/traces` : `/${id}`, (response) => {
        if (answer !== 'hangs') response.writeHead(answer, headers).end();
      });
      await queueTest(id, kind === 'otlp' ? '{"span":"svc.test"}' : undefined);
      const isFinal = finalAnswers[kind]!.includes(answer);
      return { id, answer, wanted: isFinal ? 'dead' : outcome };
    }),
  );
  const startedAtMs = Date.now();
  world.start({ retryDelaysSeconds: [60, 60, 60, 60, 60], timeoutMs: 2_500 });
  for (const { id, answer, wanted } of sent) {
    const { next_attempt_at: next } = await ended(id, wanted);
    const waitMs = next === null ? null : next.getTime() - startedAtMs;
    if (wanted !== 'failed') expect([answer, waitMs]).toEqual([answer, null]);
    // Up to a fifth of the schedule's wait is by chance.
    else expect(waitMs).toBeGreaterThan(answer === 429 ? 1_795_000 : 45_000);
    const [attempt, ...more] = await world.sql<{ status_code: number | null; error: string | null }>(
      `SELECT a.status_code, a.error FROM integration_delivery_attempts a JOIN integration_deliveries d ON d.id = a.delivery_id
       WHERE d.integration_id = $1`,
      [id],
    );
    const isHanging = answer === 'hangs';
    expect(attempt).toEqual({ status_code: isHanging ? null : answer, error: isHanging ? 'timeout' : null });
    expect(more).toEqual([]);
    // They were tests, which say nothing of its health.
    expect(await integration(id)).toMatchObject({ state: 'active', consecutive_failures: 0 });
  }
});

it('a Retry-After is obeyed: the message comes no earlier', async () => {
  const id = await addIntegration();
  let answers = 0;
  world.receiver.answer(`/${id}`, (response) => {
    response.writeHead(answers++ === 0 ? 429 : 200, { 'retry-after': '2' }).end();
  });
  await world.start({ retryDelaysSeconds: [0.1, 0.1, 0.1, 0.1, 0.1] }).publish([incident()]);
  await ended(id, 'succeeded');
  const [first, second] = world.receiver.at(`/${id}`);
  expect(second!.atMs - first!.atMs).toBeGreaterThanOrEqual(2_000);
});

it('the 10th failure in a row shows that it is failing, and a success that it is not', async () => {
  const id = await addIntegration({ failures: 9 });
  let answers = 0;
  world.receiver.answer(`/${id}`, (response) => response.writeHead(answers++ === 0 ? 500 : 200).end());
  const { publish } = world.start({ retryDelaysSeconds: [1, 1, 1, 1, 1] });
  await publish([incident()]);
  await eventually(async () => {
    expect(await integration(id)).toMatchObject({ state: 'failing', consecutive_failures: 10 });
  });
  await ended(id, 'succeeded');
  expect(await integration(id)).toMatchObject({ state: 'active', consecutive_failures: 0 });
});

it('the 25th failure disables it, with one audit entry by the system and a mail to each owner', async () => {
  const id = await addIntegration({ state: 'failing', failures: 24 });
  await world.sql(`INSERT INTO users (id, email, password_hash) VALUES ('usr_1', 'owner@example.com', 'x')`);
  await world.sql(
    `INSERT INTO members (id, organization_id, user_id, role, state) VALUES ('memb_1', $1, 'usr_1', 'owner', 'active')`,
    [world.organizationId],
  );
  world.receiver.answer(`/${id}`, status(500));
  await world.start({ retryDelaysSeconds: [60, 60, 60, 60, 60] }).publish([incident(), incident()]);
  await eventually(async () => {
    expect(await integration(id)).toMatchObject({
      state: 'disabled',
      disabled_reason: 'consecutive_failures',
    });
  });
  const entries = await world.sql(`SELECT actor_type, action FROM audit_entries WHERE target_id = $1`, [id]);
  expect(entries).toEqual([{ actor_type: 'system', action: 'integration.disable' }]);
  expect(await world.sql('SELECT member_id, subject FROM mails')).toEqual([
    { member_id: 'memb_1', subject: '[Svc] Integration disabled: On call' },
  ]);
});

it('one that hangs delays no other integration and no webhook', async () => {
  const [slow, quick] = [await addIntegration(), await addIntegration()];
  const endpoint = await world.addEndpoint();
  const held: ServerResponse[] = [];
  world.receiver.answer(`/${slow}`, (response) => void held.push(response));
  // The time-out is days away: whoever waited for the one that hangs would wait for ever.
  await world.start({ timeoutMs: 2 ** 30 }).publish(Array.from({ length: 20 }, incident));
  await eventually(() => {
    expect(world.receiver.at(`/${quick}`)).toHaveLength(20);
    expect(world.receiver.at(`/${endpoint}`)).toHaveLength(20);
  });
  expect(world.receiver.at(`/${slow}`)).toHaveLength(1);
  world.receiver.answer(`/${slow}`, status(204));
  for (const response of held) response.destroy();
});

it('a paused one keeps what is meant for it, gets tests only, and all of it once it is enabled', async () => {
  const id = await addIntegration({ state: 'paused' });
  await world.start().publish([incident()]);
  await queueTest(id);
  await eventually(() => {
    expect(world.receiver.at(`/${id}`).map(({ body }) => body)).toEqual(['{"text":"test"}']);
  });
  await world.sql(`UPDATE integrations SET state = 'active', enabled = true WHERE id = $1`, [id]);
  await eventually(() => {
    expect(world.receiver.at(`/${id}`)).toHaveLength(2);
  });
});

it.each([
  ['json', 'application/json'],
  ['protobuf', 'application/x-protobuf'],
])('a test of otlp is one span, as %s', async (encoding, contentType) => {
  const id = await addIntegration({ kind: 'otlp', config: { encoding, signals: ['traces'] } });
  await queueTest(id, '{"span":"svc.test"}');
  world.start();
  await ended(id, 'succeeded');
  const [received] = world.receiver.at(`/${id}/v1/traces`);
  expect(received!.headers).toMatchObject({ 'content-type': contentType, 'x-key': 'k' });
  expect(received!.body).toContain('svc.test');
});

it('email is mailed to members with the role, once, however often it is sent', async () => {
  const id = await addIntegration({ kind: 'email', config: { roles: ['owner'], member_ids: [] } });
  await world.sql(`INSERT INTO users (id, email, password_hash) VALUES ('usr_1', 'owner@example.com', 'x')`);
  await world.sql(
    `INSERT INTO members (id, organization_id, user_id, role, state) VALUES ('memb_1', $1, 'usr_1', 'owner', 'active')`,
    [world.organizationId],
  );
  await world.start().publish([incident()]);
  await ended(id, 'succeeded');
  expect(await world.sql('SELECT member_id, subject FROM mails')).toEqual([
    { member_id: 'memb_1', subject: '[Svc] Incident: The provider acme is failing (major)' },
  ]);
});

it.each(['slack', 'discord', 'teams', 'pagerduty', 'otlp'])(
  '%s is not sent to a private address, nor to a name that has become one, and its log says no more',
  async (kind) => {
    const names = await NameServer.start();
    names.set('rebound.example.com', { addresses: ['127.0.0.1'] });
    const ids = [
      await addIntegration({ kind }),
      await addIntegration({ kind, origin: `https://rebound.example.com` }),
    ];
    for (const id of ids) await queueTest(id);
    const resolve = publicAddresses([names.address]);
    const transport = new WebhookTransport({ policy: { allowPrivate: false }, resolve });
    world.start({ sendThrough: () => transport });
    await eventually(async () => {
      for (const id of ids) {
        expect(
          await world.sql(
            `SELECT error, response_excerpt FROM integration_delivery_attempts JOIN integration_deliveries d
             ON d.id = delivery_id WHERE integration_id = $1 LIMIT 1`,
            [id],
          ),
        ).toEqual([{ error: 'blocked_address', response_excerpt: null }]);
      }
    });
    expect(names.asked).toContain('rebound.example.com');
    expect(world.receiver.received).toEqual([]);
    await names.close();
  },
);
