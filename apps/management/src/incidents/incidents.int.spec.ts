import { parseCatalog } from '@svc/catalog';
import { IncidentFanOut } from '@svc/incidents/work';
import { systemIds } from '@svc/runtime';
import {
  startManagement,
  type Client,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

const INCIDENTS = '/platform/v1/incidents';
const CATALOG = `
providers:
  - { name: acme, protocol: openai, base_url: 'http://127.0.0.1:9/v1' }
models:
  - { id: acme/small, display_name: Acme Small, context_window: 128000, max_output_tokens: 4096 }
endpoints:
  - { model: acme/small, provider: acme, upstream_model: s, region: eu, data_retention: zero, prices: { input: 1, output: 1 } }
`;

describe('incidents', () => {
  let management: ManagementUnderTest;
  let operator: Client;
  let organization: Organization;

  beforeAll(async () => {
    const catalog = parseCatalog(CATALOG, { file: 'catalog.yaml', env: {} });
    management = await startManagement({ catalog: () => catalog });
    operator = management.client({ authorization: `Bearer ${management.platformToken}` });
    organization = await management.newOrganization();
  });
  afterAll(() => management.close());

  const shortest = {
    title: 'Slow answers',
    message: 'We look into it.',
    severity: 'minor',
    components: ['inference'],
  };
  const open = async (fields: object = {}) => {
    const answer = await operator.post(INCIDENTS, {
      ...shortest,
      audience: 'organizations',
      organization_ids: [organization.id],
      ...fields,
    });
    expect([answer.status, answer.body.error]).toEqual([201, undefined]);
    return answer.body;
  };
  const tell = async () => {
    const fanOut = new IncidentFanOut(management.database);
    for (let lease = await fanOut.claim(); lease !== null; lease = await fanOut.claim()) {
      await fanOut.run(lease, () => false);
    }
  };
  const update = (id: string, body: object) =>
    operator.post(`${INCIDENTS}/${id}/updates`, { message: 'It goes on.', ...body });

  describe('of the operator', () => {
    it('are opened once under an idempotency key, also by retries at once', async () => {
      const opened = (key: string, fields: object = {}) =>
        operator.call(
          'POST',
          INCIDENTS,
          { ...shortest, audience: 'all', ...fields },
          { 'idempotency-key': key },
        );
      const answers = await Promise.all([1, 2, 3].map(() => opened('outage-1')));
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
      expect(new Set(answers.map(({ body }) => body.id as string)).size).toBe(1);
      expect(await opened('outage-1', { message: 'Another.' })).toMatchObject({
        status: 409,
        body: { error: { code: 'idempotency_key_reused', param: 'Idempotency-Key' } },
      });
      const { id } = answers[0]!.body;
      const made = await management.database.prisma.auditEntry.count({ where: { targetId: id } });
      expect(made).toBe(1);
      expect((await opened('outage-2')).body.id).not.toBe(id);
      await management.database.pool.query(
        `UPDATE incidents SET created_at = created_at - interval '24 h' WHERE id = $1`,
        [id],
      );
      expect((await opened('outage-1')).body.id).not.toBe(id);
    });

    it('have what was said of them, and defaults for the rest', async () => {
      const started_at = '2026-11-20T09:30:00.000Z';
      const body = await open({ providers: ['acme'], state: 'identified', started_at });
      expect(body).toEqual({
        id: expect.stringMatching(/^inc_/),
        title: 'Slow answers',
        state: 'identified',
        severity: 'minor',
        components: ['inference'],
        providers: ['acme'],
        models: [],
        source: 'operator',
        started_at,
        resolved_at: null,
        updates: [
          { at: body.created_at, state: 'identified', severity: 'minor', message: 'We look into it.' },
        ],
        audience: 'organizations',
        organization_count: 0,
        managed: false,
        created_at: expect.any(String),
      });
      expect((await operator.get(`${INCIDENTS}/${body.id}`)).body).toEqual(body);
    });

    it('are listed newest first, by state and severity', async () => {
      const first = await open({ severity: 'critical' });
      const second = await open({ severity: 'critical' });
      await update(first.id, { state: 'resolved' });
      const idsOf = async (query: string) =>
        (await operator.get(`${INCIDENTS}?${query}`)).body.data.map(({ id }: { id: string }) => id);
      expect((await idsOf('limit=2')).slice(0, 2)).toEqual([second.id, first.id]);
      expect(await idsOf('severity=critical&state=open')).toEqual([second.id]);
      expect(await idsOf('severity=critical&state=resolved')).toEqual([first.id]);
    });

    it.each<[param: string, fields: object]>([
      ['providers', { audience: 'affected' }],
      ['organization_ids', { audience: 'organizations' }],
      ['organization_ids', { audience: 'organizations', organization_ids: [] }],
      ['organization_ids', { audience: 'all', organization_ids: [systemIds('organization')] }],
      ['organization_ids[0]', { audience: 'organizations', organization_ids: [systemIds('organization')] }],
      ['organization_ids[0]', { audience: 'organizations', organization_ids: ['key_1'] }],
      ['providers[1]', { audience: 'affected', providers: ['acme', 'acmee'] }],
      ['models[0]', { audience: 'affected', models: ['acme/smal'] }],
      ['models', { audience: 'affected', models: ['acme/small', 'acme/small'] }],
      ['state', { audience: 'all', state: 'resolved' }],
      ['severity', { audience: 'all', severity: 'huge' }],
      ['components', { audience: 'all', components: [] }],
      ['components[0]', { audience: 'all', components: ['kitchen'] }],
      ['title', { audience: 'all', title: 'x'.repeat(257) }],
      ['message', { audience: 'all', message: 'x'.repeat(4_001) }],
      ['started_at', { audience: 'all', started_at: '2999-01-01T00:00:00Z' }],
    ])('are refused with the field that is wrong: %s', async (param, fields) => {
      const { status, body } = await operator.post(INCIDENTS, { ...shortest, ...fields });
      expect([status, body.error.code, body.error.param]).toEqual([400, 'invalid_request', param]);
    });

    it('take updates, which change only what they name', async () => {
      const { id } = await open({ audience: 'affected', organization_ids: undefined, providers: ['acme'] });
      const changed = await update(id, { state: 'monitoring', severity: 'major', models: ['acme/small'] });
      expect(changed).toMatchObject({
        status: 201,
        body: {
          state: 'monitoring',
          severity: 'major',
          providers: ['acme'],
          models: ['acme/small'],
          managed: false,
        },
      });
      expect(
        changed.body.updates.map(({ state, message }: Record<string, string>) => [state, message]),
      ).toEqual([
        ['investigating', 'We look into it.'],
        ['monitoring', 'It goes on.'],
      ]);
      const empty = await update(id, { providers: [], models: [] });
      expect([empty.status, empty.body.error.param]).toEqual([400, 'providers']);
      const resolved = await update(id, { state: 'resolved' });
      expect(resolved.body.resolved_at).toBe(resolved.body.updates.at(-1).at);
    });

    it('open again within 24 hours of their end, and are over later', async () => {
      const { id } = await open();
      await update(id, { state: 'resolved' });
      expect((await update(id, {})).body.error).toMatchObject({ code: 'conflict' });
      expect((await update(id, { state: 'identified' })).body).toMatchObject({ resolved_at: null });
      await update(id, { state: 'resolved' });
      await management.database.pool.query(
        `UPDATE incidents SET resolved_at = resolved_at - interval '25 hours' WHERE id = $1`,
        [id],
      );
      const late = await update(id, { state: 'identified' });
      expect([late.status, late.body.error.code]).toEqual([409, 'conflict']);
    });

    it('take updates at once one after the other', async () => {
      const { id } = await open();
      const answers = await Promise.all(
        Array.from({ length: 8 }, (_, at) => update(id, { message: `Number ${String(at)}.` })),
      );
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
      expect((await operator.get(`${INCIDENTS}/${id}`)).body.updates).toHaveLength(9);
    });

    it('are renamed without an event', async () => {
      const { id } = await open();
      await tell();
      const events = await management.database.prisma.outboxEvent.count();
      expect((await operator.patch(`${INCIDENTS}/${id}`, { title: 'Very slow answers' })).body.title).toBe(
        'Very slow answers',
      );
      await tell();
      expect(await management.database.prisma.outboxEvent.count()).toBe(events);
    });

    it('are in the audit log of the platform, without their messages', async () => {
      const { id } = await open({ title: 'First' });
      await operator.patch(`${INCIDENTS}/${id}`, { title: 'Second' });
      await operator.patch(`${INCIDENTS}/${id}`, { title: 'Second' });
      await update(id, { state: 'resolved' });
      const { body } = await operator.get(`/platform/v1/audit-log?target_id=${id}`);
      expect(body.data.map(({ action, actor, changes }: never) => [action, actor, changes])).toEqual([
        [
          'incident.update',
          { type: 'operator', id: null, label: null },
          { state: { from: 'investigating', to: 'resolved' } },
        ],
        [
          'incident.update',
          { type: 'operator', id: null, label: null },
          { title: { from: 'First', to: 'Second' } },
        ],
        [
          'incident.create',
          { type: 'operator', id: null, label: null },
          expect.objectContaining({ title: { to: 'First' }, severity: { to: 'minor' } }),
        ],
      ]);
      expect(JSON.stringify(body)).not.toContain('look into it');
      const owner = await management.withKey(organization);
      expect((await owner.get(`/api/v1/audit-log?target_id=${id}`)).body.data).toEqual([]);
    });

    it('list the organizations that were told', async () => {
      const other = await management.newOrganization();
      const { id } = await open({ organization_ids: [organization.id, other.id] });
      await tell();
      const path = `${INCIDENTS}/${id}/organizations`;
      const first = await operator.get(`${path}?limit=1`);
      expect(first.body.data).toMatchObject([{ id: other.id, name: 'Acme' }]);
      const second = await operator.get(`${path}?limit=1&cursor=${first.body.next_cursor}`);
      expect(second.body).toMatchObject({ data: [{ id: organization.id }], has_more: false });
      expect((await operator.get(`${INCIDENTS}/${id}`)).body.organization_count).toBe(2);
      const unknown = await operator.get(`${INCIDENTS}/${systemIds('incident')}/organizations`);
      expect(unknown.status).toBe(404);
    });
  });

  describe('of an organization', () => {
    it('are those that affect it: every other one is 404', async () => {
      const stranger = await management.withKey(await management.newOrganization());
      const viewer = await management.withSession(organization, 'viewer');
      const { id } = await open();
      expect((await viewer.get(`/api/v1/incidents/${id}`)).status).toBe(404);
      await tell();
      const { status, body } = await viewer.get(`/api/v1/incidents/${id}`);
      expect(status).toBe(200);
      expect(Object.keys(body).sort()).toEqual(
        'affected_since components id models providers resolved_at severity source started_at state title updates'.split(
          ' ',
        ),
      );
      expect((await viewer.get('/api/v1/incidents?limit=1')).body.data).toEqual([body]);
      expect((await stranger.get(`/api/v1/incidents/${id}`)).status).toBe(404);
      expect((await stranger.get('/api/v1/incidents')).body.data).toEqual([]);
    });

    it('are filtered by state and severity', async () => {
      const reader = await management.withKey(organization, ['org:read']);
      const { id } = await open({ severity: 'critical' });
      await update(id, { state: 'resolved' });
      await tell();
      const idsOf = async (query: string) =>
        (await reader.get(`/api/v1/incidents?${query}`)).body.data.map((each: { id: string }) => each.id);
      expect((await idsOf('state=resolved&severity=critical'))[0]).toBe(id);
      expect(await idsOf('state=open')).not.toContain(id);
      expect(await idsOf('severity=minor')).not.toContain(id);
    });
  });
});
