import { forbiddenUrls } from '../testing/forbidden-urls';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

const INTEGRATIONS = '/api/v1/integrations';
const SLACK_URL = 'https://hooks.slack.com/services/T0/B0/very-secret';
const slack = { kind: 'slack', name: 'On call', config: { url: SLACK_URL } };
const otlp = {
  kind: 'otlp',
  name: 'Traces',
  config: { url: 'https://otlp.example.org/', headers: { 'x-api-key': 'secret-of-the-receiver' } },
};

let management: ManagementUnderTest;
beforeAll(async () => {
  management = await startManagement();
});
afterAll(() => management.close());

const begin = async () => {
  const organization = await management.newOrganization();
  return { organization, key: await management.withKey(organization) };
};
const create = async (key: Client, body: object = slack) => (await key.post(INTEGRATIONS, body)).body;

it('are made, read, changed and deleted, with audit entries and events, and never show a secret', async () => {
  const { organization, key } = await begin();
  const made = await key.post(INTEGRATIONS, slack);
  expect(made).toMatchObject({
    status: 201,
    body: {
      kind: 'slack',
      config: { url: 'https://hooks.slack.com' },
      event_types: ['alert.*', 'incident.*', 'budget.*', 'payment.failed', 'approval.requested'],
      enabled: true,
      state: 'active',
      consecutive_failures: 0,
      disabled_reason: null,
      last_success_at: null,
    },
  });
  const path = `${INTEGRATIONS}/${made.body.id as string}`;
  expect((await key.get(path)).body).toEqual(made.body);
  expect((await key.get(INTEGRATIONS)).body.data).toEqual([made.body]);
  const change = { name: 'Night', enabled: false, config: { url: `${SLACK_URL}-2` } };
  expect(await key.patch(path, change)).toMatchObject({
    status: 200,
    body: { name: 'Night', state: 'paused', enabled: false, config: { url: 'https://hooks.slack.com' } },
  });
  expect((await key.delete(path)).status).toBe(204);
  expect((await key.get(path)).status).toBe(404);

  const where = { organizationId: organization.id };
  const entries = await management.database.prisma.auditEntry.findMany({ where, orderBy: { id: 'asc' } });
  const actions = entries.map(({ action }) => action).filter((action) => action.startsWith('integration'));
  expect(actions).toEqual(['integration.create', 'integration.update', 'integration.delete']);
  const events = await management.database.prisma.outboxEvent.findMany({ where, orderBy: { id: 'asc' } });
  expect(events.map(({ type }) => type)).toEqual(['integration.created', 'integration.deleted']);
  expect((JSON.parse(events[0]!.payload) as { data: object }).data).toEqual({
    integration_id: made.body.id,
    kind: 'slack',
    name: 'On call',
  });
  expect(JSON.stringify([made.body, entries, events])).not.toContain('very-secret');
});

it('keep the secrets that a PATCH does not give, and send them to no other host', async () => {
  const { key } = await begin();
  const made = await create(key, otlp);
  expect(made.config).toEqual({
    url: 'https://otlp.example.org/',
    headers: { 'x-api-key': { last4: 'iver' } },
    signals: ['traces', 'metrics'],
    encoding: 'protobuf',
  });
  const path = `${INTEGRATIONS}/${made.id as string}`;
  const after = await key.patch(path, { config: { encoding: 'json', url: 'https://otlp.example.org/a' } });
  expect(after.body.config).toMatchObject({ encoding: 'json', headers: { 'x-api-key': { last4: 'iver' } } });
  expect(await key.patch(path, { config: { url: 'https://evil.example.org/' } })).toMatchObject({
    status: 400,
    body: { error: { code: 'invalid_request', param: 'config.headers' } },
  });
});

it.each([
  [{ ...slack, config: {} }, 'invalid_request', 'config.url'],
  [{ ...slack, config: { url: 'https://127.0.0.1/' } }, 'url_not_allowed', 'config.url'],
  [{ ...slack, config: { url: SLACK_URL, token: 'x' } }, 'invalid_request', 'config.token'],
  [{ ...slack, kind: 'datadog' }, 'invalid_request', 'kind'],
  [{ ...slack, event_types: ['alert.*', 'nothing.*'] }, 'unknown_event_type', 'event_types[1]'],
  [{ ...otlp, event_types: ['alert.*'] }, 'invalid_request', 'event_types'],
  [
    { kind: 'pagerduty', name: 'P', config: { routing_key: 'R', url: 'https://hooks.example.org/' } },
    'url_not_allowed',
    'config.url',
  ],
  [
    { kind: 'email', name: 'E', config: { member_ids: ['memb_06dpm2q4x8k3c0v9r7t5w1hzny'] } },
    'invalid_request',
    'config.member_ids[0]',
  ],
])('refuse %j as %s, naming %s', async (body, code, param) => {
  const { key } = await begin();
  expect(await key.post(INTEGRATIONS, body)).toMatchObject({ status: 400, body: { error: { code, param } } });
});

describe.each([
  ['slack', { url: SLACK_URL }],
  ['discord', { url: 'https://discord.com/api/webhooks/1/secret' }],
  ['teams', { url: 'https://prod.westus.logic.azure.com/workflows/secret' }],
  ['pagerduty', { routing_key: 'R'.repeat(32) }],
  ['otlp', { url: 'https://otlp.example.org/' }],
])('the URL of %s', (kind, config) => {
  it('may not lead inside, neither when the integration is made nor later', async () => {
    const { key } = await begin();
    const made = await create(key, { kind, name: 'Receiver', config });
    for (const url of forbiddenUrls) {
      for (const refused of [
        await key.post(INTEGRATIONS, { kind, name: 'Inside', config: { ...config, url } }),
        await key.patch(`${INTEGRATIONS}/${made.id as string}`, { config: { url } }),
      ]) {
        const { status, body } = refused;
        expect([url, status, body.error?.code, body.error?.param]).toEqual([
          url,
          400,
          'url_not_allowed',
          'config.url',
        ]);
      }
    }
    expect((await key.get(INTEGRATIONS)).body.data).toEqual([made]);
  });
});

it('are 20 at most in an organization', async () => {
  const { key } = await begin();
  for (let at = 0; at < 20; at++) expect((await key.post(INTEGRATIONS, slack)).status).toBe(201);
  expect(await key.post(INTEGRATIONS, slack)).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict' } },
  });
});

it('are tested also while they are paused, and a delivery is listed and sent again by hand', async () => {
  const { key } = await begin();
  const { id } = await create(key, { ...slack, enabled: false });
  const path = `${INTEGRATIONS}/${id as string}`;
  const tested = await key.post(`${path}/test`);
  expect(tested).toMatchObject({
    status: 200,
    body: { integration_id: id, event_type: 'integration.test', status: 'queued', attempts_log: [] },
  });
  expect((tested.body.payload as { text: string }).text).toContain('On call');
  expect((await key.get(`${path}/deliveries`)).body.data).toEqual([tested.body]);
  const delivery = `${path}/deliveries/${tested.body.id as string}`;
  expect((await key.get(delivery)).body).toEqual(tested.body);
  const where = { id: tested.body.id as string };
  const dead = { status: 'dead', nextAttemptAt: null, attemptCount: 6 };
  await management.database.prisma.integrationDelivery.update({ where, data: dead });
  expect((await key.post(`${delivery}/retry`)).body).toMatchObject({
    status: 'queued',
    round: 2,
    attempt_count: 0,
  });
  const other = await create(key);
  expect((await key.get(`${INTEGRATIONS}/${other.id as string}/deliveries/${where.id}`)).status).toBe(404);
});

it('that a rule names are told by its test, and no longer named once they are deleted', async () => {
  const { key } = await begin();
  const { id } = await create(key);
  const rule = { name: 'Calls', metric: 'request_count', threshold: 1, notify: { integration_ids: [id] } };
  const made = await key.post('/api/v1/alert-rules', rule);
  expect(made).toMatchObject({ status: 201, body: { notify: { integration_ids: [id] } } });
  const rulePath = `/api/v1/alert-rules/${made.body.id as string}`;
  expect((await key.post(`${rulePath}/test`)).body.notifications).toMatchObject([
    { channel: 'slack', target: id, status: 'queued', error: null },
  ]);
  const [delivery] = (await key.get(`${INTEGRATIONS}/${id as string}/deliveries`)).body.data;
  expect(delivery).toMatchObject({ event_type: 'alert.test', payload: { text: '[test] Calls (warning)' } });
  await key.delete(`${INTEGRATIONS}/${id as string}`);
  expect((await key.get(rulePath)).body.notify.integration_ids).toEqual([]);
});
