import { unusedId } from '@svc/testing';
import { startManagement, type ManagementUnderTest } from '../testing/management-under-test';

describe('projects', () => {
  let management: ManagementUnderTest;

  beforeAll(async () => {
    management = await startManagement();
  });
  afterAll(() => management.close());

  it('are made, read, renamed and archived at both path forms', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);

    const created = await key.post('/api/v1/projects', { name: 'Search' });
    expect(created).toMatchObject({
      status: 201,
      body: { organization_id: organization.id, name: 'Search', state: 'active' },
    });
    const scoped = `/api/v1/organizations/${organization.id}/projects/${created.body.id}`;
    expect(await key.patch(scoped, { name: 'Find', state: 'archived' })).toMatchObject({
      status: 200,
      body: { name: 'Find', state: 'archived' },
    });
    expect((await key.get(`/api/v1/projects/${created.body.id}`)).body).toEqual((await key.get(scoped)).body);
  });

  it('are listed newest first, page by page, and stay in place while others are made', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    for (const name of ['One', 'Two', 'Three']) await key.post('/api/v1/projects', { name });

    const first = await key.get('/api/v1/projects?limit=2');
    await key.post('/api/v1/projects', { name: 'Four' });
    const second = await key.get(`/api/v1/projects?limit=2&cursor=${first.body.next_cursor}`);

    const namesOf = ({ body }: typeof first) => body.data.map(({ name }: { name: string }) => name);
    expect([...namesOf(first), ...namesOf(second)]).toEqual(['Three', 'Two', 'One', 'First']);
    expect([first.body.has_more, second.body.has_more]).toEqual([true, false]);
    expect(second.body.next_cursor).toBeNull();
  });

  it('of another organization are not found, in the same words as ones that never were', async () => {
    const theirs = await management.newOrganization();
    const key = await management.withKey(await management.newOrganization());

    const foreign = await key.get(`/api/v1/projects/${theirs.projectId}`);
    const unknown = await key.get(`/api/v1/projects/${unusedId(theirs.projectId)}`);
    const otherKind = await key.get(`/api/v1/projects/${theirs.id}`);

    for (const { status, body } of [foreign, unknown, otherKind]) {
      expect({ status, message: body.error.message, code: body.error.code }).toEqual({
        status: 404,
        message: 'There is no such resource.',
        code: 'not_found',
      });
    }
  });

  it('lose nothing when two edits meet, and each edit says in the audit log what it changed', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const { body } = await key.post('/api/v1/projects', { name: 'Search' });

    await Promise.all([
      key.patch(`/api/v1/projects/${body.id}`, { name: 'Find' }),
      key.patch(`/api/v1/projects/${body.id}`, { state: 'archived' }),
    ]);

    expect((await key.get(`/api/v1/projects/${body.id}`)).body).toMatchObject({
      name: 'Find',
      state: 'archived',
    });
    const entries = await management.database.prisma.auditEntry.findMany({
      where: { targetId: body.id, action: 'project.update' },
    });
    expect(entries.map(({ actorType, changes }) => ({ actorType, changes }))).toEqual(
      expect.arrayContaining([
        { actorType: 'api_key', changes: { name: { from: 'Search', to: 'Find' } } },
        { actorType: 'api_key', changes: { state: { from: 'active', to: 'archived' } } },
      ]),
    );
  });

  it('show a key of one project that project alone', async () => {
    const organization = await management.newOrganization();
    const { body: other } = await (
      await management.withKey(organization)
    ).post('/api/v1/projects', {
      name: 'Other',
    });
    const key = await management.withKey(organization, ['project:read'], organization.projectId);

    expect((await key.get('/api/v1/projects')).body.data).toHaveLength(1);
    expect((await key.get(`/api/v1/projects/${other.id}`)).status).toBe(404);
  });

  it.each([
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: 'Fine', colour: 'red' }, 'colour'],
  ])('refuse %j, naming the field', async (body, param) => {
    const key = await management.withKey(await management.newOrganization());
    expect(await key.post('/api/v1/projects', body)).toMatchObject({
      status: 400,
      body: { error: { code: 'invalid_request', param } },
    });
  });
});
