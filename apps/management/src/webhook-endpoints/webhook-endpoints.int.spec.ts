import { eventCatalogue, eventTypes } from '@svc/events';
import { signingSecretContext } from '@svc/deliveries/store';
import { createSealer } from '@svc/runtime';
import { unusedId } from '@svc/testing';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';
import { AttemptsOfSpec } from '../webhook-deliveries/testing/attempts-of-spec';

const ENDPOINTS = '/api/v1/webhook-endpoints';
const MASTER_KEY = Buffer.alloc(32, 9);
const URL_OF_SPEC = 'https://hooks.example.com/svc';

describe('webhook endpoints', () => {
  let management: ManagementUnderTest;
  let attempts: AttemptsOfSpec;

  beforeAll(async () => {
    management = await startManagement({ masterKey: MASTER_KEY });
    attempts = new AttemptsOfSpec(management.database);
  });
  afterAll(() => management.close());

  const begin = async () => {
    const organization = await management.newOrganization();
    return { organization, key: await management.withKey(organization) };
  };
  const create = async (key: Client, more: object = {}) =>
    (await key.post(ENDPOINTS, { url: URL_OF_SPEC, ...more })).body;
  const traces = async (organizationId: string) => {
    const { prisma } = management.database;
    const [entries, events] = await Promise.all([
      prisma.auditEntry.findMany({ where: { organizationId }, orderBy: { id: 'asc' } }),
      prisma.outboxEvent.findMany({ where: { organizationId }, orderBy: { id: 'asc' } }),
    ]);
    return {
      entries,
      events,
      actions: entries.map(({ action }) => action),
      types: events.map((e) => e.type),
    };
  };
  const fail = async (endpointId: string, times: number) => {
    for (let failed = 0; failed < times; failed++) await attempts.attempt(endpointId, 500);
  };

  it('43: are made with a secret that is shown once, stored sealed, and told in no trace', async () => {
    const { organization, key } = await begin();
    const { status, body } = await key.post(ENDPOINTS, { url: 'HTTPS://Hooks.Example.com:443/svc' });

    expect(status).toBe(201);
    expect(body).toEqual({
      signing_secret: expect.stringMatching(/^whsec_[0-9a-f]{64}$/) as string,
      warning: expect.any(String) as string,
      endpoint: {
        id: expect.stringMatching(/^whe_/) as string,
        organization_id: organization.id,
        url: URL_OF_SPEC,
        description: '',
        event_types: [],
        enabled: true,
        state: 'active',
        disabled_reason: null,
        consecutive_failures: 0,
        secret_last4: body.signing_secret.slice(-4),
        previous_secret_expires_at: null,
        created_at: expect.any(String) as string,
        updated_at: expect.any(String) as string,
      },
    });
    const row = await management.database.prisma.webhookEndpoint.findUniqueOrThrow({
      where: { id: body.endpoint.id },
    });
    const opened = createSealer(MASTER_KEY).open(row.secretCiphertext, signingSecretContext(row.id));
    expect(opened.toString()).toBe(body.signing_secret);
    const { entries, events, actions, types } = await traces(organization.id);
    expect(actions).toEqual(['webhook_endpoint.create']);
    expect(types).toEqual(['webhook.endpoint_created']);
    const told = JSON.stringify([entries, events, await key.get(ENDPOINTS)]);
    expect(told).not.toContain(body.signing_secret.slice(6, -4));
  });

  it('are read, changed and deleted at both path forms', async () => {
    const { organization, key } = await begin();
    const scoped = `/api/v1/organizations/${organization.id}/webhooks`;
    const { body } = await key.post(scoped, { url: URL_OF_SPEC, event_types: ['api_key.*'] });
    const { id } = body.endpoint;
    for (const root of [ENDPOINTS, scoped]) {
      expect((await key.get(`${root}/${id}`)).body).toEqual(body.endpoint);
      expect((await key.get(root)).body.data).toEqual([body.endpoint]);
    }
    const changed = await key.patch(`${scoped}/${id}`, {
      url: 'https://other.example.com/',
      description: 'Billing',
      event_types: ['budget.exceeded', 'credential.*'],
    });
    expect(changed).toMatchObject({
      status: 200,
      body: { url: 'https://other.example.com/', description: 'Billing', state: 'active' },
    });
    expect((await key.get(`${ENDPOINTS}/${id}`)).body).toEqual(changed.body);

    expect((await key.delete(`${scoped}/${id}`)).status).toBe(204);
    for (const path of [`${ENDPOINTS}/${id}`, `${scoped}/${id}`]) {
      expect((await key.get(path)).status).toBe(404);
      expect((await key.patch(path, { enabled: true })).status).toBe(404);
      expect((await key.delete(path)).status).toBe(404);
      expect((await key.post(`${path}/test`)).status).toBe(404);
      expect((await key.post(`${path}/rotate-secret`)).status).toBe(404);
    }
    expect((await key.get(ENDPOINTS)).body.data).toEqual([]);

    const { entries, types, events } = await traces(organization.id);
    expect(entries.map(({ action, changes }) => ({ action, changes }))).toEqual([
      { action: 'webhook_endpoint.create', changes: expect.any(Object) as object },
      {
        action: 'webhook_endpoint.update',
        changes: {
          url: { from: URL_OF_SPEC, to: 'https://other.example.com/' },
          description: { from: '', to: 'Billing' },
          event_types: { from: ['api_key.*'], to: ['budget.exceeded', 'credential.*'] },
        },
      },
      { action: 'webhook_endpoint.delete', changes: {} },
    ]);
    expect(types).toEqual(
      ['endpoint_created', 'endpoint_updated', 'endpoint_deleted'].map((what) => `webhook.${what}`),
    );
    expect((JSON.parse(events[2]!.payload) as { data: object }).data).toEqual({
      endpoint_id: id,
      url: 'https://other.example.com/',
      event_types: ['budget.exceeded', 'credential.*'],
      secret_last4: body.endpoint.secret_last4,
      state: 'active',
    });
  });

  it('are listed newest first, page by page, and by their state', async () => {
    const { key } = await begin();
    const made: string[] = [];
    for (let at = 0; at < 3; at++) made.unshift((await create(key)).endpoint.id);
    await key.patch(`${ENDPOINTS}/${made[1]!}`, { enabled: false });

    const first = await key.get(`${ENDPOINTS}?limit=2`);
    const second = await key.get(`${ENDPOINTS}?limit=2&cursor=${first.body.next_cursor}`);
    expect([...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id)).toEqual(made);
    const paused = await key.get(`${ENDPOINTS}?state=paused`);
    expect(paused.body.data).toMatchObject([{ id: made[1]!, enabled: false }]);
    expect((await key.get(`${ENDPOINTS}?state=lost`)).body.error.param).toBe('state');
  });

  it('stay as they are, without a trace, when a change changes nothing', async () => {
    const { organization, key } = await begin();
    const { endpoint } = await create(key, { description: 'Billing' });
    for (const change of [
      {},
      { url: URL_OF_SPEC, description: ' Billing ', event_types: [] },
      { enabled: true },
    ]) {
      expect(await key.patch(`${ENDPOINTS}/${endpoint.id}`, change)).toMatchObject({
        status: 200,
        body: endpoint,
      });
    }
    expect((await traces(organization.id)).actions).toEqual(['webhook_endpoint.create']);
  });

  it('44: of another organization are not found, as ones that never were', async () => {
    const { key: theirs } = await begin();
    const { endpoint } = await create(theirs);
    const { key } = await begin();
    for (const id of [endpoint.id, unusedId(endpoint.id), 'dlv_06dpm2q4x8k3c0v9r7t5w1hzny']) {
      const path = `${ENDPOINTS}/${id}`;
      const answers = [
        await key.get(path),
        await key.patch(path, { enabled: false }),
        await key.delete(path),
        await key.post(`${path}/test`),
        await key.post(`${path}/rotate-secret`),
      ];
      for (const { status, body } of answers)
        expect([status, body.error.message]).toEqual([404, 'There is no such resource.']);
    }
    expect((await theirs.get(`${ENDPOINTS}/${endpoint.id}`)).body).toEqual(endpoint);
  });

  it('are closed to who lacks webhook:write, to a project’s key, and to every access token', async () => {
    const { organization } = await begin();
    for (const caller of [
      await management.withSession(organization, 'viewer'),
      await management.withSession(organization, 'finance'),
      await management.withKey(organization, ['org:read']),
      await management.withKey(organization, ['webhook:write'], organization.projectId),
    ]) {
      expect((await caller.get(ENDPOINTS)).body.error.code).toBe('permission_denied');
    }
    const token = await management.withAccessToken(organization, 'owner', ['usage:read']);
    expect((await token.get(ENDPOINTS)).body.error.code).toBe('insufficient_scope');
    const developer = await management.withSession(organization, 'developer');
    expect((await developer.post(ENDPOINTS, { url: URL_OF_SPEC })).status).toBe(201);
  });

  it('are 100 at most, also where the last ones are made at once', async () => {
    const { organization, key } = await begin();
    const { endpoint } = await create(key);
    await management.database.pool.query(
      `INSERT INTO webhook_endpoints (id, organization_id, url, secret_ciphertext, secret_last4)
       SELECT 'whe_' || lpad(i::text, 26, '0'), $1, $2, '\\x00', '0000' FROM generate_series(1, 97) i`,
      [organization.id, URL_OF_SPEC],
    );
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => key.post(ENDPOINTS, { url: URL_OF_SPEC })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.error.code).toBe('conflict');

    await key.delete(`${ENDPOINTS}/${endpoint.id}`);
    expect((await key.post(ENDPOINTS, { url: URL_OF_SPEC })).status).toBe(201);
    expect(
      (await traces(organization.id)).types.filter((type) => type === 'webhook.endpoint_created'),
    ).toHaveLength(4);
  });

  describe('the state', () => {
    it('27: is paused and armed again; what is queued waits meanwhile, and is sent afterwards', async () => {
      const { organization, key } = await begin();
      const { endpoint } = await create(key);
      const path = `${ENDPOINTS}/${endpoint.id}`;
      expect((await key.patch(path, { enabled: false })).body).toMatchObject({
        enabled: false,
        state: 'paused',
      });
      await attempts.deliver(organization.id, endpoint.id);
      expect(await attempts.begin(endpoint.id)).toEqual([]);

      expect((await key.patch(path, { enabled: true })).body).toMatchObject({
        enabled: true,
        state: 'active',
      });
      expect(await attempts.begin(endpoint.id)).toHaveLength(1);
      const { entries } = await traces(organization.id);
      expect(entries.slice(1).map(({ changes }) => changes)).toEqual([
        { state: { from: 'active', to: 'paused' } },
        { state: { from: 'paused', to: 'active' } },
      ]);
    });

    it('is what its attempts make of it, and a PATCH arms it again from disabled with no failures', async () => {
      const { organization, key } = await begin();
      const { endpoint } = await create(key);
      const path = `${ENDPOINTS}/${endpoint.id}`;
      for (let at = 0; at < 25; at++) await attempts.deliver(organization.id, endpoint.id);
      await fail(endpoint.id, 10);
      expect((await key.get(path)).body).toMatchObject({
        state: 'failing',
        enabled: true,
        consecutive_failures: 10,
      });
      await fail(endpoint.id, 15);
      const disabled = { state: 'disabled', enabled: false, disabled_reason: 'consecutive_failures' };
      expect((await key.get(path)).body).toMatchObject({ ...disabled, consecutive_failures: 25 });

      expect((await key.patch(path, { enabled: true })).body).toMatchObject({
        state: 'active',
        enabled: true,
        disabled_reason: null,
        consecutive_failures: 0,
      });
      const { entries, types } = await traces(organization.id);
      expect(entries.at(-1)?.changes).toEqual({
        state: { from: 'disabled', to: 'active' },
        consecutive_failures: { from: 25, to: 0 },
      });
      expect(types.slice(1).sort()).toEqual(['webhook.endpoint_disabled', 'webhook.endpoint_updated']);
    });

    it('forgets why it was disabled when it is paused', async () => {
      const { organization, key } = await begin();
      const { endpoint } = await create(key);
      for (let at = 0; at < 25; at++) await attempts.deliver(organization.id, endpoint.id);
      await fail(endpoint.id, 25);
      expect((await key.patch(`${ENDPOINTS}/${endpoint.id}`, { enabled: false })).body).toMatchObject({
        state: 'paused',
        disabled_reason: null,
        consecutive_failures: 25,
      });
    });
  });

  describe('the signing secret', () => {
    const secretsOf = async (endpointId: string, organizationId: string) => {
      await attempts.deliver(organizationId, endpointId);
      const [delivery] = await attempts.begin(endpointId);
      const sealer = createSealer(MASTER_KEY);
      const opened = delivery?.sealedSecrets.map((secret) =>
        sealer.open(secret, signingSecretContext(endpointId)).toString(),
      );
      await attempts.end(delivery!, 204);
      return opened;
    };

    it('31: is rotated: for 24 hours the one before signs too, and never more than two do', async () => {
      const { organization, key } = await begin();
      const first = await create(key);
      const { id } = first.endpoint;
      const path = `${ENDPOINTS}/${id}/rotate-secret`;
      const { status, body: second } = await key.post(path);

      expect(status).toBe(200);
      expect(second).toMatchObject({
        signing_secret: expect.stringMatching(/^whsec_[0-9a-f]{64}$/) as string,
        warning: expect.any(String) as string,
        endpoint: { id, secret_last4: second.signing_secret.slice(-4) },
      });
      const overlapMs = Date.parse(second.endpoint.previous_secret_expires_at) - Date.now();
      expect(Math.abs(overlapMs - 86_400_000)).toBeLessThan(60_000);
      expect(await secretsOf(id, organization.id)).toEqual([second.signing_secret, first.signing_secret]);

      const { body: third } = await key.post(path);
      expect(await secretsOf(id, organization.id)).toEqual([third.signing_secret, second.signing_secret]);
      await management.database.pool.query(
        `UPDATE webhook_endpoints SET previous_secret_expires_at = clock_timestamp() WHERE id = $1`,
        [id],
      );
      expect(await secretsOf(id, organization.id)).toEqual([third.signing_secret]);
    });

    it('43: leaves a trace of its rotation that holds nothing but its end', async () => {
      const { organization, key } = await begin();
      const first = await create(key);
      const second = (await key.post(`${ENDPOINTS}/${first.endpoint.id}/rotate-secret`)).body;
      const { entries, types, events } = await traces(organization.id);
      expect(entries.at(-1)).toMatchObject({
        action: 'webhook_endpoint.rotate_secret',
        targetId: first.endpoint.id,
        changes: { signing_secret: {} },
      });
      expect(types).toEqual(['webhook.endpoint_created', 'webhook.secret_rotated']);
      const told = JSON.stringify([entries, events]);
      for (const { signing_secret: secret } of [first, second])
        expect(told).not.toContain(secret.slice(6, -4));
    });

    it('31: rotated twice at once is both new ones, and no more the one before', async () => {
      const { organization, key } = await begin();
      const { endpoint } = await create(key);
      const path = `${ENDPOINTS}/${endpoint.id}/rotate-secret`;
      const answers = await Promise.all([key.post(path), key.post(path)]);
      const issued = answers.map(({ body }) => body.signing_secret as string);
      expect((await secretsOf(endpoint.id, organization.id))?.toSorted()).toEqual(issued.toSorted());
    });
  });

  describe('a test', () => {
    it.each(['active', 'paused', 'disabled'])(
      '27: is sent at once to an endpoint that is %s',
      async (state) => {
        const { organization, key } = await begin();
        const { endpoint } = await create(key, { event_types: ['api_key.created'] });
        const path = `${ENDPOINTS}/${endpoint.id}`;
        await management.database.prisma.webhookEndpoint.update({
          where: { id: endpoint.id },
          data: { state, enabled: state === 'active' },
        });
        const { status, body } = await key.post(`${path}/test`);

        expect(status).toBe(200);
        expect(body).toMatchObject({
          endpoint_id: endpoint.id,
          event_type: 'webhook.test',
          status: 'queued',
          attempt_count: 0,
          attempts_log: [],
          payload: { id: body.event_id, type: 'webhook.test', data: { endpoint_id: endpoint.id } },
        });
        const claimed = await attempts.begin(endpoint.id);
        expect(claimed.map(({ id }) => id)).toEqual([body.id]);
        await attempts.end(claimed[0]!, 500);
        expect((await key.get(path)).body).toMatchObject({ state, consecutive_failures: 0 });
        const { actions, types } = await traces(organization.id);
        expect(actions).toEqual(['webhook_endpoint.create', 'webhook_endpoint.test']);
        expect(types).not.toContain('webhook.test');
      },
    );

    it('shows the example of a chosen event, and stays a test', async () => {
      const { organization, key } = await begin();
      const { endpoint } = await create(key);
      const data = eventCatalogue['payment.succeeded'].example;
      for (const path of [
        `${ENDPOINTS}/${endpoint.id}`,
        `/api/v1/organizations/${organization.id}/webhooks/${endpoint.id}`,
      ]) {
        const { status, body } = await key.post(`${path}/test`, { event_type: 'payment.succeeded' });
        expect([status, body.event_type]).toEqual([200, 'webhook.test']);
        expect(body.payload).toMatchObject({ id: body.event_id, type: 'webhook.test' });
        expect(body.payload.data).toEqual({
          endpoint_id: endpoint.id,
          example: { type: 'payment.succeeded', data },
        });
      }
      const { actions, types } = await traces(organization.id);
      expect(actions).toEqual(['webhook_endpoint.create', 'webhook_endpoint.test', 'webhook_endpoint.test']);
      expect(types).toEqual(['webhook.endpoint_created']);
    });

    it('shows an example of every other event that is listed', async () => {
      const { key } = await begin();
      const { endpoint } = await create(key);
      const others = eventTypes.filter((type) => type !== 'webhook.test');
      for (const type of others) {
        const { body } = await key.post(`${ENDPOINTS}/${endpoint.id}/test`, { event_type: type });
        expect(body.payload.data.example).toEqual({ type, data: eventCatalogue[type].example });
      }
    });

    it.each([
      [{ event_type: 'webhook.test' }, 'event_type'],
      [{ event_type: 'budget.*' }, 'event_type'],
      [{ event_type: 'toString' }, 'event_type'],
      [{ event_type: '' }, 'event_type'],
      [{ event_type: null }, 'event_type'],
      [{ event_type: 'budget.exceeded', data: {} }, 'data'],
    ])('is refused for %j, and leaves nothing', async (sent, param) => {
      const { organization, key } = await begin();
      const { endpoint } = await create(key);
      const { status, body } = await key.post(`${ENDPOINTS}/${endpoint.id}/test`, sent);
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: 'invalid_request', param });
      expect(await attempts.begin(endpoint.id)).toEqual([]);
      expect((await traces(organization.id)).actions).toEqual(['webhook_endpoint.create']);
    });
  });
});
