import { unusedId } from '@svc/testing';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

describe('a list of things by their ids', () => {
  let management: ManagementUnderTest;
  beforeAll(async () => {
    management = await startManagement();
  });
  afterAll(() => management.close());

  const create: Readonly<Record<string, (caller: Client, at: number) => Promise<string>>> = {
    keys: async (caller, at) =>
      (await caller.post('/api/v1/keys', { name: String(at), scopes: ['key:read'] })).body.api_key.id,
    projects: async (caller, at) => (await caller.post('/api/v1/projects', { name: String(at) })).body.id,
    'webhook-endpoints': async (caller, at) =>
      (await caller.post('/api/v1/webhook-endpoints', { url: `https://93.184.215.14/${String(at)}` })).body
        .endpoint.id,
  };
  const idsAt = async (caller: Client, path: string) =>
    (await caller.get(path)).body.data.map(({ id }: { id: string }) => id);

  it.each(Object.keys(create))('has those of %s that are there, all of them on one page', async (path) => {
    const caller = await management.withKey(await management.newOrganization());
    const ids: string[] = [];
    for (let at = 0; at < 25; at++) ids.unshift(await create[path]!(caller, at));
    const other = await create[path]!(await management.withKey(await management.newOrganization()), 0);
    await create[path]!(caller, 25);

    const asked = [...ids, ...ids, other, unusedId(ids[0]!)].join(',');
    expect(await idsAt(caller, `/api/v1/${path}?ids=${asked}`)).toEqual(ids);
    const page = await caller.get(`/api/v1/${path}?ids=${asked}&limit=2`);
    expect(page.body).toMatchObject({ data: [{ id: ids[0] }, { id: ids[1] }], has_more: true });
    const next = `/api/v1/${path}?ids=${asked}&limit=2&cursor=${page.body.next_cursor}`;
    expect(await idsAt(caller, next)).toEqual(ids.slice(2, 4));
    const wrong = await caller.get(`/api/v1/${path}?ids=${ids[0]!},org_1`);
    expect([wrong.status, wrong.body.error.param]).toEqual([400, 'ids']);
  });

  it('has those of members', async () => {
    const organization = await management.newOrganization();
    const [ada, bob] = [
      await management.withSession(organization, 'owner'),
      await management.withSession(organization, 'viewer'),
    ];
    const theirs = await management.withSession(await management.newOrganization(), 'owner');
    const asked = [ada, bob, theirs].map(({ memberId }) => memberId).join(',');
    expect(await idsAt(ada, `/api/v1/members?ids=${asked}`)).toEqual([bob.memberId, ada.memberId]);
    expect(await idsAt(ada, `/api/v1/members?ids=${asked}&role=viewer`)).toEqual([bob.memberId]);
  });
});
