import { startManagement, type Answered, type ManagementUnderTest } from '../testing/management-under-test';

describe('the audit log', () => {
  let management: ManagementUnderTest;

  beforeAll(async () => {
    management = await startManagement();
  });
  afterAll(() => management.close());

  const actionsOf = ({ body }: Answered): string[] =>
    body.data.map(({ action }: { action: string }) => action);

  it('tells who changed what, newest first, at both path forms', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const { body: project } = await owner.post('/api/v1/projects', { name: 'Search' });
    const changed = await owner.patch(`/api/v1/projects/${project.id}`, { name: 'Find' });

    const { status, body } = await owner.get('/api/v1/audit-log');

    expect(status).toBe(200);
    expect(body.data).toHaveLength(2);
    const [newest] = body.data;
    expect(newest).toEqual({
      id: expect.stringMatching(/^aud_/),
      approval_request_id: null,
      organization_id: organization.id,
      actor: { type: 'user', id: owner.userId, label: expect.stringContaining('@') },
      action: 'project.update',
      target: { type: 'project', id: project.id, label: 'Find' },
      changes: { name: { from: 'Search', to: 'Find' } },
      request_id: changed.headers.get('x-request-id'),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const scoped = `/api/v1/organizations/${organization.id}/audit-log/${newest.id}`;
    expect((await owner.get(scoped)).body).toEqual(newest);
  });

  it('is searched by action, actor, target and time', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const owner = await management.withSession(organization, 'owner');
    const { body: project } = await key.post('/api/v1/projects', { name: 'Search' });
    await owner.patch(`/api/v1/projects/${project.id}`, { name: 'Find' });
    await owner.post('/api/v1/projects', { name: 'Other' });

    const search = async (query: string) => actionsOf(await owner.get(`/api/v1/audit-log?${query}`));
    expect(await search('action=project.create')).toEqual(['project.create', 'project.create']);
    expect(await search(`actor_id=${key.keyId}`)).toEqual(['project.create']);
    expect(await search(`actor_id=${owner.userId}&action=project.update`)).toEqual(['project.update']);
    expect(await search(`target_id=${project.id}`)).toEqual(['project.update', 'project.create']);
    expect(await search('action=project.update,project.archive')).toEqual(['project.update']);
    expect(await search('action=project.*')).toHaveLength(3);
    expect(await search('action=project.update,budget.*')).toEqual(['project.update']);
    expect(await search('action=budget.*')).toEqual([]);
    expect(await search(`actor_id=${key.keyId},${owner.userId}`)).toHaveLength(3);
    expect(await search(`target_id=${project.id},${organization.id}`)).toHaveLength(2);
    const { body } = await owner.get('/api/v1/audit-log?limit=1');
    const { created_at: at } = body.data[0];
    expect(await search(`created_before=${at}`)).not.toHaveLength(3);
    expect(await search(`created_after=${at}`)).not.toHaveLength(0);
    expect(await search('created_after=2999-01-01')).toEqual([]);
  });

  it('keeps what actor and target were called then, whatever became of them', async () => {
    const organization = await management.newOrganization();
    const owner = await management.withSession(organization, 'owner');
    const { body: minted } = await owner.post('/api/v1/keys', { name: 'Before', scopes: ['usage:read'] });
    await owner.patch(`/api/v1/keys/${minted.api_key.id}`, { name: 'After' });
    const { body: budget } = await owner.post('/api/v1/budgets', {
      name: 'Of the month',
      scope: 'organization',
      period: 'month',
      amount_nanos: 1_000_000_000,
      action: 'warn',
    });
    await owner.delete(`/api/v1/budgets/${budget.id}`);

    const labels = async (query: string) =>
      (await owner.get(`/api/v1/audit-log?${query}`)).body.data.map(
        ({ target }: { target: { label: string } }) => target.label,
      );
    expect(await labels(`target_id=${minted.api_key.id}`)).toEqual(['After', 'Before']);
    expect(await labels('action=budget.*')).toEqual(['Of the month', 'Of the month']);
  });

  it('is read page by page', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    for (const name of ['One', 'Two', 'Three']) await key.post('/api/v1/projects', { name });

    const first = await key.get('/api/v1/audit-log?limit=2');
    await key.post('/api/v1/projects', { name: 'Four' });
    const second = await key.get(`/api/v1/audit-log?limit=2&cursor=${first.body.next_cursor}`);

    const names = [first, second].flatMap(({ body }) =>
      body.data.map(({ changes }: { changes: { name: { to: string } } }) => changes.name.to),
    );
    expect(names).toEqual(['Three', 'Two', 'One']);
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
  });

  it('of another organization is not found', async () => {
    const theirs = await management.newOrganization();
    const their = await management.withKey(theirs);
    await their.post('/api/v1/projects', { name: 'Theirs' });
    const { body } = await their.get('/api/v1/audit-log');
    const key = await management.withKey(await management.newOrganization());

    expect((await key.get(`/api/v1/audit-log/${body.data[0].id}`)).status).toBe(404);
    expect((await key.get(`/api/v1/organizations/${theirs.id}/audit-log`)).status).toBe(404);
    expect((await key.get(`/api/v1/audit-log?target_id=${body.data[0].target.id}`)).body.data).toEqual([]);
  });

  it('is read by owners and security admins alone', async () => {
    const organization = await management.newOrganization();
    for (const [role, status] of [
      ['owner', 200],
      ['security_admin', 200],
      ['developer', 403],
      ['finance', 403],
      ['viewer', 403],
    ] as const) {
      const member = await management.withSession(organization, role);
      expect({ role, status: (await member.get('/api/v1/audit-log')).status }).toEqual({ role, status });
    }
  });

  it.each([
    ['action=everything', 'action'],
    ['action=project.create,everything', 'action'],
    ['action=*.create', 'action'],
    ['actor_id=me', 'actor_id'],
    ['target_id=%00', 'target_id'],
    ['created_after=now', 'created_after'],
    ['actor=me', 'actor'],
  ])('refuses the query %s, naming the parameter', async (query, param) => {
    const key = await management.withKey(await management.newOrganization());
    expect(await key.get(`/api/v1/audit-log?${query}`)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param } },
    });
  });
});
