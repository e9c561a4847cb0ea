import { apiKeyHash, permissions } from '@svc/access';
import { ApiKeyStore } from '@svc/access/store';
import { ChangeFeed, type Change } from '@svc/database';
import { systemIds } from '@svc/runtime';
import { createLogger } from '@svc/runtime/observability';
import { eventually } from '@svc/testing';
import { startManagement, type Answered, type ManagementUnderTest } from '../testing/management-under-test';

describe('API keys', () => {
  let management: ManagementUnderTest;

  beforeAll(async () => {
    management = await startManagement();
  });
  afterAll(() => management.close());

  const newCaller = async () => {
    const organization = await management.newOrganization();
    return { organization, caller: await management.withKey(organization) };
  };
  const NEW = { name: 'Search', scopes: ['inference:invoke', 'key:read'] };
  const auditsOf = async (targetId: string) =>
    (
      await management.database.prisma.auditEntry.findMany({ where: { targetId }, orderBy: { id: 'asc' } })
    ).map(({ action, changes }) => ({ action, changes }));
  const eventsOf = async (organizationId: string) =>
    (
      await management.database.prisma.outboxEvent.findMany({
        where: { organizationId },
        orderBy: { id: 'asc' },
      })
    ).map(({ payload }) => JSON.parse(payload) as { type: string; data: object });
  const errorOf = ({ status, body }: Answered) => ({
    status,
    code: body.error.code as string,
    param: body.error.param as string | undefined,
  });

  describe('that are made', () => {
    it('show their secret this once, and work', async () => {
      const { organization, caller } = await newCaller();
      const expires_at = new Date(Date.now() + 60_000).toISOString();
      const made = await caller.post('/api/v1/keys', { ...NEW, expires_at, rate_limit_rpm: 7 });
      const { key, api_key: record, warning } = made.body;

      expect(made.status).toBe(201);
      expect(key).toMatch(/^svc_sk_[\w-]{43}$/);
      expect(warning).toMatch(/not shown again/);
      expect(record).toEqual({
        id: expect.stringMatching(/^key_/),
        organization_id: organization.id,
        project_id: null,
        ...NEW,
        prefix: key.slice(0, 15),
        state: 'active',
        rate_limit_rpm: 7,
        rate_limit_tpm: null,
        effective_rate_limit: { rpm: 7, tpm: 1_000_000 },
        last_used_at: null,
        member_id: null,
        expires_at,
        revoked_at: null,
        purpose: 'general',
        created_by: caller.keyId,
        replaces: null,
        replaced_by: null,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      });

      const path = `/api/v1/organizations/${organization.id}/keys/${record.id}`;
      const read = await management.client({ authorization: `Bearer ${key}` }).get(path);
      expect(read).toMatchObject({ status: 200, body: { id: record.id } });
      expect(JSON.stringify(read.body)).not.toContain(key);
    });

    it('are told of in the audit log and by an event, which say no secret', async () => {
      const { organization, caller } = await newCaller();
      const made = await caller.post('/api/v1/keys', {
        ...NEW,
        project_id: organization.projectId,
        scopes: ['key:read'],
      });
      const { key, api_key: record } = made.body;

      const told = await eventsOf(organization.id);
      expect(told).toMatchObject([
        {
          type: 'api_key.created',
          data: {
            api_key_id: record.id,
            name: 'Search',
            prefix: key.slice(0, 15),
            project_id: organization.projectId,
            scopes: ['key:read'],
          },
        },
      ]);
      const audits = await auditsOf(record.id);
      expect(audits).toMatchObject([{ action: 'api_key.create', changes: { scopes: { to: ['key:read'] } } }]);
      const kept = JSON.stringify([told, audits, await management.database.prisma.apiKey.findMany()]);
      expect(kept).not.toContain(key);
    });

    it.each([
      [{ scopes: ['inference:invoke'] }, 'name'],
      [{ ...NEW, name: 'a\u0000b' }, 'name'],
      [{ ...NEW, name: '\ud800' }, 'name'],
      [{ name: 'No scope' }, 'scopes'],
      [{ ...NEW, scopes: [] }, 'scopes'],
      [{ ...NEW, scopes: ['key:read', 'approval:decide'] }, 'scopes[1]'],
      [{ ...NEW, scopes: ['key:read', 'everything'] }, 'scopes[1]'],
      [{ ...NEW, scopes: [...permissions] }, `scopes[${String(permissions.indexOf('approval:write'))}]`],
      [{ ...NEW, scopes: ['key:read', 'org:read', 'key:read'] }, 'scopes[2]'],
      [{ ...NEW, project_id: 'proj_unknown' }, 'project_id'],
      [{ ...NEW, project_id: systemIds('project') }, 'project_id'],
      [{ ...NEW, expires_at: '2020-01-01T00:00:00.000Z' }, 'expires_at'],
      [{ ...NEW, expires_at: 'tomorrow' }, 'expires_at'],
      [{ ...NEW, rate_limit_rpm: 0 }, 'rate_limit_rpm'],
      [{ ...NEW, rate_limit_tpm: 2_147_483_648 }, 'rate_limit_tpm'],
      [{ ...NEW, state: 'active' }, 'state'],
    ])('are refused as %j, naming the field, and leave nothing', async (body, param) => {
      const { organization, caller } = await newCaller();
      expect(errorOf(await caller.post('/api/v1/keys', body))).toEqual({
        status: 400,
        code: 'invalid_request',
        param,
      });
      expect(
        await management.database.prisma.apiKey.count({ where: { organizationId: organization.id } }),
      ).toBe(1);
      expect(await eventsOf(organization.id)).toEqual([]);
    });

    it('are not there, nor in the audit log, where their event cannot be recorded', async () => {
      const { organization, caller } = await newCaller();
      const sql = (text: string) => management.database.pool.query(text);
      await sql('ALTER TABLE outbox_events RENAME TO outbox_events_away');
      const made = await caller.post('/api/v1/keys', NEW);
      await sql('ALTER TABLE outbox_events_away RENAME TO outbox_events');

      expect(made.status).toBe(500);
      const where = { organizationId: organization.id };
      expect(await management.database.prisma.apiKey.count({ where })).toBe(1);
      expect(await management.database.prisma.auditEntry.count({ where })).toBe(0);
    });

    it('cannot be given to another organization’s project, nor to an archived one', async () => {
      const { organization, caller } = await newCaller();
      const theirs = await management.newOrganization();
      const foreign = await caller.post('/api/v1/keys', { ...NEW, project_id: theirs.projectId });
      expect(foreign.body.error).toMatchObject({ param: 'project_id', message: 'There is no such project.' });

      await caller.patch(`/api/v1/projects/${organization.projectId}`, { state: 'archived' });
      const archived = await caller.post('/api/v1/keys', { ...NEW, project_id: organization.projectId });
      expect(errorOf(archived)).toMatchObject({ status: 400, param: 'project_id' });
    });

    it('can hold nothing that their creator lacks', async () => {
      const organization = await management.newOrganization();
      const narrow = await management.withKey(organization, ['key:create', 'key:read']);
      const developer = await management.withSession(organization, 'developer');

      const beyond = await narrow.post('/api/v1/keys', NEW);
      expect(errorOf(beyond)).toMatchObject({ status: 403, code: 'permission_denied' });
      expect(beyond.body.error.message).toContain('inference:invoke');
      expect((await narrow.post('/api/v1/keys', { ...NEW, scopes: ['key:read'] })).status).toBe(201);
      const wallet = await developer.post('/api/v1/keys', { ...NEW, scopes: ['wallet:read'] });
      expect(wallet.body.error.message).toContain('wallet:read');
    });

    it('for a project are refused a permission that no project’s key can use', async () => {
      const { organization, caller } = await newCaller();
      const body = { ...NEW, scopes: ['key:read', 'wallet:read'], project_id: organization.projectId };
      expect(errorOf(await caller.post('/api/v1/keys', body))).toMatchObject({
        status: 400,
        param: 'scopes[1]',
      });
    });
  });

  describe('are listed', () => {
    it('newest first, page by page, and by project and state', async () => {
      const { organization, caller } = await newCaller();
      const ofProject = { ...NEW, name: 'Of the project', project_id: organization.projectId };
      await caller.post('/api/v1/keys', ofProject);
      const gone = await caller.post('/api/v1/keys', { ...NEW, name: 'Gone' });
      await caller.delete(`/api/v1/keys/${gone.body.api_key.id}`);
      const namesAt = async (path: string) =>
        (await caller.get(path)).body.data.map(({ name }: { name: string }) => name);

      const first = await caller.get('/api/v1/keys?limit=2');
      await caller.post('/api/v1/keys', { ...NEW, name: 'Later' });
      expect(first.body.data.map(({ name }: { name: string }) => name)).toEqual(['Gone', 'Of the project']);
      expect(await namesAt(`/api/v1/keys?cursor=${first.body.next_cursor}`)).toEqual(['Of a spec']);
      expect(await namesAt('/api/v1/keys?state=revoked')).toEqual(['Gone']);
      expect(await namesAt(`/api/v1/keys?project_id=${organization.projectId}`)).toEqual(['Of the project']);
      expect(errorOf(await caller.get('/api/v1/keys?state=lost'))).toMatchObject({
        status: 400,
        param: 'state',
      });
    });
  });

  describe('of one project', () => {
    it('see and make keys of their project alone', async () => {
      const { organization, caller } = await newCaller();
      const wide = await caller.post('/api/v1/keys', NEW);
      const other = await caller.post('/api/v1/projects', { name: 'Other' });
      const own = await management.withKey(organization, undefined, organization.projectId);

      expect((await own.get('/api/v1/keys')).body.data.map(({ id }: { id: string }) => id)).toEqual([
        own.keyId,
      ]);
      const hidden = `/api/v1/keys/${wide.body.api_key.id}`;
      for (const answer of [
        await own.get(hidden),
        await own.patch(hidden, { name: 'Mine' }),
        await own.delete(hidden),
      ]) {
        expect(errorOf(answer)).toMatchObject({ status: 404, code: 'not_found' });
      }
      const made = await own.post('/api/v1/keys', NEW);
      expect(made).toMatchObject({ status: 201, body: { api_key: { project_id: organization.projectId } } });
      expect(errorOf(await own.post('/api/v1/keys', { ...NEW, project_id: other.body.id }))).toMatchObject({
        status: 400,
        param: 'project_id',
      });
      expect((await caller.get(hidden)).body).toMatchObject({ name: 'Search', state: 'active' });
    });
  });

  describe('that change', () => {
    it('report the limit that holds: their own, under their organization’s ceilings', async () => {
      const { organization, caller } = await newCaller();
      const made = await caller.post('/api/v1/keys', NEW);
      const path = `/api/v1/organizations/${organization.id}/keys/${made.body.api_key.id}`;

      const raised = await caller.patch(path, { rate_limit_rpm: 50_000, rate_limit_tpm: 5 });
      expect(raised.body).toMatchObject({
        rate_limit_rpm: 50_000,
        rate_limit_tpm: 5,
        effective_rate_limit: { rpm: 6_000, tpm: 5 },
      });
      await management.database.prisma.organization.update({
        where: { id: organization.id },
        data: { rateLimitRpm: 50 },
      });
      expect((await caller.get(path)).body.effective_rate_limit).toEqual({ rpm: 50, tpm: 5 });

      const restored = await caller.patch(path, { rate_limit_tpm: null });
      expect(restored).toMatchObject({
        status: 200,
        body: {
          rate_limit_rpm: 50_000,
          rate_limit_tpm: null,
          effective_rate_limit: { rpm: 50, tpm: 1_000_000 },
        },
      });
      expect((await auditsOf(made.body.api_key.id)).slice(1)).toEqual([
        {
          action: 'api_key.update',
          changes: { rate_limit_rpm: { from: null, to: 50_000 }, rate_limit_tpm: { from: null, to: 5 } },
        },
        { action: 'api_key.update', changes: { rate_limit_tpm: { from: 5, to: null } } },
      ]);
    });

    it('are told of to edges as they commit, and an edge then reads what they became', async () => {
      const { caller } = await newCaller();
      const { key, api_key: record } = (await caller.post('/api/v1/keys', NEW)).body;
      const sha256 = apiKeyHash(key);
      const heard: Change[] = [];
      const feed = new ChangeFeed({
        database: management.database,
        logger: createLogger({ service: 'management', level: 'silent' }),
        tell: (change) => heard.push(change),
      });
      feed.start();
      await eventually(() => expect(heard).toContainEqual({ of: 'anything' }));
      const told = () =>
        eventually(() =>
          expect(heard).toContainEqual(
            expect.objectContaining({ of: 'apiKey', keySha256: sha256.toString('base64') }),
          ),
        );
      const seenByEdge = () => new ApiKeyStore(management.database).findBySha256(sha256.toString('base64'));

      await caller.patch(`/api/v1/keys/${record.id}`, { rate_limit_rpm: 3 });
      await told();
      expect(await seenByEdge()).toMatchObject({ rateLimitRpm: 3, state: 'active' });
      heard.length = 0;
      await caller.delete(`/api/v1/keys/${record.id}`);
      await told();
      expect(await seenByEdge()).toMatchObject({ state: 'revoked' });
      await feed.stop();
    });

    it('lose nothing when two edits meet', async () => {
      const { caller } = await newCaller();
      const made = await caller.post('/api/v1/keys', NEW);
      const path = `/api/v1/keys/${made.body.api_key.id}`;
      await Promise.all([
        caller.patch(path, { rate_limit_rpm: 11 }),
        caller.patch(path, { rate_limit_tpm: 22 }),
        caller.patch(path, { name: 'Both' }),
      ]);
      expect((await caller.get(path)).body).toMatchObject({
        name: 'Both',
        rate_limit_rpm: 11,
        rate_limit_tpm: 22,
      });
    });

    it.each([[{}], [{ name: 'Search' }], [{ rate_limit_rpm: null }]])(
      'by nothing (%j) are answered as they are, without a word in the audit log',
      async (body) => {
        const { caller } = await newCaller();
        const { api_key: record } = (await caller.post('/api/v1/keys', NEW)).body;
        expect(await caller.patch(`/api/v1/keys/${record.id}`, body)).toMatchObject({
          status: 200,
          body: record,
        });
        expect(await auditsOf(record.id)).toHaveLength(1);
      },
    );

    it.each([
      [{ rate_limit_rpm: 0 }, 'rate_limit_rpm'],
      [{ rate_limit_rpm: 1.5 }, 'rate_limit_rpm'],
      [{ rate_limit_tpm: 1e12 }, 'rate_limit_tpm'],
      [{ scopes: ['org:write'] }, 'scopes'],
    ])('are refused %j, naming the field', async (body, param) => {
      const { caller } = await newCaller();
      const answer = await caller.patch(`/api/v1/keys/${caller.keyId}`, body);
      expect(errorOf(answer)).toEqual({ status: 400, code: 'invalid_request', param });
    });

    it('are refused a change once they are revoked', async () => {
      const { caller } = await newCaller();
      const path = `/api/v1/keys/${(await caller.post('/api/v1/keys', NEW)).body.api_key.id}`;
      await caller.delete(path);
      expect(errorOf(await caller.patch(path, { rate_limit_rpm: 3 }))).toMatchObject({
        status: 409,
        code: 'conflict',
      });
    });
  });

  describe('that are revoked', () => {
    it('open nothing from then on, stay readable, and are told of once however often and at once it is done', async () => {
      const { organization, caller } = await newCaller();
      const { key, api_key: record } = (await caller.post('/api/v1/keys', NEW)).body;
      const path = `/api/v1/keys/${record.id}`;

      const answers = await Promise.all([1, 2, 3].map(() => caller.delete(path)));
      answers.push(await caller.delete(path));
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);

      expect((await management.client({ 'x-api-key': key }).get('/api/v1/keys')).status).toBe(401);
      const { state, revoked_at } = (await caller.get(path)).body;
      expect({ state, revoked_at }).toEqual({ state: 'revoked', revoked_at: expect.any(String) });
      expect((await eventsOf(organization.id)).map(({ type, data }) => ({ type, data })).slice(1)).toEqual([
        {
          type: 'api_key.revoked',
          data: { api_key_id: record.id, name: 'Search', prefix: record.prefix, project_id: null },
        },
      ]);
      expect((await auditsOf(record.id)).slice(1)).toEqual([
        { action: 'api_key.revoke', changes: { state: { from: 'active', to: 'revoked' } } },
      ]);
    });
  });

  it('of another organization are not found, in the same words as ones that never were', async () => {
    const { organization: theirs, caller: them } = await newCaller();
    const { caller } = await newCaller();
    const paths = [them.keyId, systemIds('apiKey'), theirs.projectId].map((id) => `/api/v1/keys/${id}`);
    const scoped = `/api/v1/organizations/${theirs.id}/keys/${them.keyId}`;
    for (const path of paths) {
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const answer = await caller.call(method, path, method === 'PATCH' ? { name: 'Mine' } : undefined);
        expect(answer).toMatchObject({
          status: 404,
          body: { error: { message: 'There is no such resource.' } },
        });
      }
    }
    expect((await caller.get(scoped)).status).toBe(404);
    expect((await caller.post(`/api/v1/organizations/${theirs.id}/keys`, NEW)).status).toBe(404);
    expect((await them.get(paths[0]!)).body).toMatchObject({ name: 'Of a spec', state: 'active' });
  });

  it('need their own permission for each thing that is done with them', async () => {
    const organization = await management.newOrganization();
    const path = `/api/v1/keys/${(await management.withKey(organization)).keyId}`;
    const viewer = await management.withSession(organization, 'viewer');
    const finance = await management.withSession(organization, 'finance');

    expect((await viewer.get(path)).status).toBe(200);
    for (const answer of [
      await finance.get('/api/v1/keys'),
      await finance.get(path),
      await viewer.post('/api/v1/keys', NEW),
      await viewer.patch(path, { rate_limit_rpm: 3 }),
      await viewer.delete(path),
    ]) {
      expect(errorOf(answer)).toMatchObject({ status: 403, code: 'permission_denied' });
    }
  });

  it('show when they were last used, written when the service stops at the latest', async () => {
    const { organization, caller } = await newCaller();
    const service = await startManagement({ database: management.database });
    const used = await service.withKey(organization);
    const startedAtMs = Date.now();
    await used.get('/api/v1/keys');
    await service.close();

    const { last_used_at } = (await caller.get(`/api/v1/keys/${used.keyId}`)).body;
    expect(Date.parse(last_used_at)).toBeGreaterThanOrEqual(startedAtMs);
    expect(Date.parse(last_used_at)).toBeLessThanOrEqual(Date.now());
  });
});
