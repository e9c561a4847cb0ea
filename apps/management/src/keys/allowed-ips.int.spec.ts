import { ApiKeyStore } from '@svc/access/store';
import { UnitOfWork } from '@svc/database';
import { eventually } from '@svc/testing';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

const ELSEWHERE = ['198.51.100.0/24'];

describe('a key that other addresses alone may show', () => {
  let management: ManagementUnderTest;
  beforeAll(async () => {
    management = await startManagement();
  });
  afterAll(() => management.close());

  const allow = (keyId: string, list: readonly string[] | null) =>
    new UnitOfWork(management.database).transaction((tx) =>
      new ApiKeyStore(management.database).setAllowedIps(tx, keyId, list),
    );
  const answerOf = async (client: Client, method: string, path: string, body?: object) => {
    const { status, headers, body: error } = await client.call(method, path, body);
    const { date: _date, 'x-request-id': _id, ...others } = Object.fromEntries(headers);
    return { status, others, error: { ...error.error, request_id: null } };
  };

  it.each<[string, string, object | undefined]>([
    ['GET', '/api/v1/keys', undefined],
    ['POST', '/api/v1/keys', { name: 'Way in', scopes: ['inference:invoke'] }],
    ['GET', '/api/v1/nothing/at/all', undefined],
    ['GET', '/v1/files', undefined],
    ['POST', '/v1/fine_tuning/jobs', {}],
  ])('is answered at %s %s as a revoked key is', async (method, path, body) => {
    const organization = await management.newOrganization();
    const [key, dead] = [await management.withKey(organization), await management.withKey(organization)];
    await allow(key.keyId, ELSEWHERE);
    await management.database.prisma.apiKey.update({
      where: { id: dead.keyId },
      data: { state: 'revoked', revokedAt: new Date() },
    });
    expect(await answerOf(key, method, path, body)).toEqual(await answerOf(dead, method, path, body));
  });

  it('is let in from an address of its list, and with null from all', async () => {
    const key = await management.withKey(await management.newOrganization());
    for (const [list, status] of [
      [['127.0.0.0/8'], 200],
      [[], 401],
      [ELSEWHERE, 401],
      [null, 200],
    ] as const) {
      await allow(key.keyId, list);
      expect([list, (await key.get('/api/v1/keys')).status]).toEqual([list, status]);
    }
  });

  it('tells its owner by one event and by the count of refused calls, and does not count as used', async () => {
    const organization = await management.newOrganization();
    const [key, owner] = [await management.withKey(organization), await management.withKey(organization)];
    await allow(key.keyId, ELSEWHERE);
    for (let call = 0; call < 3; call++) expect((await key.get('/api/v1/keys')).status).toBe(401);
    await eventually(async () => {
      const { body } = await owner.get('/api/v1/usage/refusals?group_by=code,api_key');
      expect(body.data).toMatchObject([
        { code: 'address_not_allowed', http_status: 401, api_key_id: key.keyId, count: 3 },
      ]);
      const events = await management.database.prisma.outboxEvent.findMany({
        where: { organizationId: organization.id, type: 'api_key.address_refused' },
      });
      expect(events.map(({ payload }) => (JSON.parse(payload) as { data: object }).data)).toMatchObject([
        { api_key_id: key.keyId, address: '127.0.0.1' },
      ]);
    });
    const { lastUsedAt } = await management.database.prisma.apiKey.findUniqueOrThrow({
      where: { id: key.keyId },
    });
    expect(lastUsedAt).toBeNull();
  });

  it('begins without a list, whoever makes it', async () => {
    const key = await management.withKey(await management.newOrganization());
    const { body } = await key.post('/api/v1/keys', { name: 'New', scopes: ['inference:invoke'] });
    const { rows } = await management.database.pool.query(
      `SELECT allowed_ips FROM api_keys WHERE id = ANY ($1)`,
      [[body.api_key.id, key.keyId]],
    );
    expect(rows).toEqual([{ allowed_ips: null }, { allowed_ips: null }]);
  });

  describe('by its policy', () => {
    const policy = (list: readonly string[] | null) => ({ allowed_ips: list });
    const statusOf = async (secret: string) =>
      (await management.client({ authorization: `Bearer ${secret}` }).get('/api/v1/keys')).status;
    const newKey = async (owner: Client, more: object) =>
      (await owner.post('/api/v1/keys', { name: 'New', scopes: ['key:read', 'key:create'], ...more })).body;

    it('is refused from when it is made or changed, and let in again', async () => {
      const owner = await management.withKey(await management.newOrganization());
      const { key, api_key } = await newKey(owner, { policy: policy(ELSEWHERE) });
      expect(await statusOf(key)).toBe(401);
      const path = `/api/v1/keys/${api_key.id as string}/policy`;
      for (const [list, status] of [
        [['127.0.0.1'], 200],
        [[], 401],
        [null, 200],
      ] as const) {
        expect((await owner.put(path, policy(list))).status).toBe(200);
        expect([list, await statusOf(key)]).toEqual([list, status]);
      }
    });

    it('hands its list on: keys that it makes are let in where both lists let in', async () => {
      const owner = await management.withKey(await management.newOrganization());
      const { key } = await newKey(owner, { policy: policy(['127.0.0.0/8']) });
      const maker = management.client({ authorization: `Bearer ${key as string}` });
      const made = async (list: readonly string[] | null) =>
        (await maker.post('/api/v1/keys', { name: 'Its own', scopes: ['key:read'], policy: policy(list) }))
          .body.key as string;
      expect(await statusOf(await made(null))).toBe(200);
      expect(await statusOf(await made(['127.0.0.1', '192.0.2.1']))).toBe(200);
      expect(await statusOf(await made(['192.0.2.1']))).toBe(401);
    });

    it.each([
      [['192.0.2.1/24'], 'allowed_ips[0]'],
      [['192.0.2.1', '010.0.0.1'], 'allowed_ips[1]'],
      [['fe80::1%eth0'], 'allowed_ips[0]'],
    ])('is not written with %j', async (list, param) => {
      const owner = await management.withKey(await management.newOrganization());
      const { api_key } = await newKey(owner, {});
      const { status, body } = await owner.put(`/api/v1/keys/${api_key.id as string}/policy`, policy(list));
      expect([status, body.error.param]).toEqual([400, param]);
    });
  });
});
