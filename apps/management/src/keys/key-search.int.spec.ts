import { systemIds } from '@svc/runtime';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

/** More than a page scans, and less than two. */
const KEY_COUNT = 25_100;
const BATCH = 10_000;

describe('a search of API keys', () => {
  let management: ManagementUnderTest;
  beforeAll(async () => {
    management = await startManagement();
  });
  afterAll(() => management.close());

  const newKey = async (caller: Client, name: string, fields: object = {}) =>
    (await caller.post('/api/v1/keys', { name, scopes: ['inference:invoke'], ...fields })).body.api_key;
  const namesAt = async (caller: Client, query: string) =>
    (await caller.get(`/api/v1/keys?${query}`)).body.data.map(({ name }: { name: string }) => name);

  /** The oldest hundred are named `Key 0` to `Key 99`, all others `Key 1`. */
  async function addKeys(organizationId: string, count: number): Promise<void> {
    const { pool } = management.database;
    // Nobody listens to changes of these keys.
    await pool.query('ALTER TABLE api_keys DISABLE TRIGGER tell_change');
    for (let from = 0; from < count; from += BATCH) {
      await pool.query(
        `INSERT INTO api_keys (id, organization_id, name, prefix, secret_sha256, scopes, updated_at)
         SELECT 'key_00000000000000000000' || lpad(n::text, 6, '0'), $1, 'Key ' || CASE WHEN n < 100 THEN n ELSE 1 END,
           'svc_sk_', sha256(('of a spec ' || n)::bytea), '{inference:invoke}', now()
         FROM generate_series($2::int, $3::int) AS n`,
        [organizationId, from, Math.min(from + BATCH, count) - 1],
      );
    }
    await pool.query('ALTER TABLE api_keys ENABLE TRIGGER tell_change');
  }

  it.each([
    ['search', ['Night search', 'SEARCH']],
    ['été 100%', ['ÉTÉ 100%']],
    ['100_', []],
    ['.*', ['a.*[b']],
    ['*[B', ['a.*[b']],
    ['\\', []],
  ])('finds %j in names, in any case, as it is written', async (q, names) => {
    const caller = await management.withKey(await management.newOrganization());
    for (const name of ['SEARCH', 'ÉTÉ 100%', 'a.*[b', 'Night search']) await newKey(caller, name);
    expect(await namesAt(caller, `q=${encodeURIComponent(q)}`)).toEqual(names);
  });

  it('finds a key by the beginning of its prefix, and by who created it', async () => {
    const organization = await management.newOrganization();
    const caller = await management.withKey(organization);
    const developer = await management.withSession(organization, 'developer');
    const { prefix } = await newKey(caller, 'By a key');
    expect(await newKey(developer, 'By Ada')).toMatchObject({ created_by: developer.userId });

    expect(await namesAt(caller, `q=${prefix}`)).toEqual(['By a key']);
    expect(await namesAt(caller, `q=${prefix.slice(1)}`)).toEqual([]);
    expect(await namesAt(caller, `created_by=${developer.userId}`)).toEqual(['By Ada']);
    expect(await namesAt(caller, `created_by=${caller.keyId}&q=ada`)).toEqual([]);
  });

  it('by a project sees nothing of another organization that names its project', async () => {
    const theirs = await management.newOrganization();
    await management.withKey(theirs, undefined, theirs.projectId);
    const caller = await management.withKey(await management.newOrganization());
    expect(await namesAt(caller, `project_id=${theirs.projectId}`)).toEqual([]);
  });

  it('of a project’s key stays in its project', async () => {
    const organization = await management.newOrganization();
    const wide = await management.withKey(organization);
    const own = await management.withKey(organization, undefined, organization.projectId);
    expect((await own.get(`/api/v1/keys?ids=${wide.keyId},${own.keyId}`)).body.data).toMatchObject([
      { id: own.keyId },
    ]);
    const other = (await wide.post('/api/v1/projects', { name: 'Other' })).body.id;
    expect(await namesAt(own, `project_id=${other}`)).toEqual([]);
  });

  it('scans a bounded number of keys for a page, and goes on where that ended', async () => {
    const organization = await management.newOrganization();
    const caller = await management.withKey(organization);
    await addKeys(organization.id, KEY_COUNT);
    const first = await caller.get('/api/v1/keys?q=KEY%2077');
    expect(first.body).toMatchObject({ data: [], has_more: true });
    const second = await caller.get(`/api/v1/keys?q=KEY%2077&cursor=${first.body.next_cursor}`);
    expect(second.body).toMatchObject({ data: [{ name: 'Key 77' }], has_more: false });
  });

  it('of ids beyond their form, or too many, is refused', async () => {
    const caller = await management.withKey(await management.newOrganization());
    const many = Array.from({ length: 101 }, () => systemIds('apiKey')).join();
    for (const ids of ['', 'key_1', systemIds('project'), `${caller.keyId},`, many]) {
      const answer = await caller.get(`/api/v1/keys?ids=${ids}`);
      expect([answer.status, answer.body.error?.param]).toEqual([400, 'ids']);
    }
  });
});
