import { nanos } from '@svc/kernel';
import { WalletStore } from '@svc/ledger/store';
import { systemIds } from '@svc/runtime';
import { type Json } from '@svc/testing';
import { InferenceCalls } from '../testing/inference-calls';
import {
  startManagement,
  type Answered,
  type Client,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

describe('the wallet', () => {
  let management: ManagementUnderTest;
  let calls: InferenceCalls;

  beforeAll(async () => {
    management = await startManagement();
    calls = new InferenceCalls(management.database);
  });
  afterAll(() => management.close());

  const credit = (organization: Organization, amount: number, reason = 'for specs') =>
    new WalletStore(management.database).credit(organization.id, nanos(amount), reason);

  async function everyTransaction(key: Client): Promise<Json[]> {
    const all: Json[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const answer: Answered = await key.get(`/api/v1/wallet/transactions?limit=3${query}`);
      all.push(...answer.body.data);
      cursor = answer.body.next_cursor;
    }
    return all;
  }

  it('shows what it holds, what calls under way may cost, and what is left, at both path forms', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    await credit(organization, 10_000);
    await calls.make(organization, { charge: 100 });
    await calls.open(organization, { held: 2_500 });

    for (const path of ['/api/v1/wallet', `/api/v1/organizations/${organization.id}/wallet`]) {
      expect(await key.get(path)).toMatchObject({
        status: 200,
        body: { balance_nanos: 9_900, held_nanos: 2_500, available_nanos: 7_400 },
      });
    }
  });

  it('is empty where there never was one', async () => {
    const organization = await management.newOrganization();
    await management.database.prisma.wallet.delete({ where: { organizationId: organization.id } });
    const key = await management.withKey(organization);

    expect((await key.get('/api/v1/wallet')).body).toEqual({
      balance_nanos: 0,
      held_nanos: 0,
      owed_nanos: 0,
      available_nanos: 0,
    });
    for (const list of ['credit-grants', 'transactions']) {
      expect((await key.get(`/api/v1/wallet/${list}`)).body).toEqual({
        data: [],
        has_more: false,
        next_cursor: null,
      });
    }
  });

  it('is the sum of its transactions: credit, charges, and nothing of what the platform lost', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const grants = [await credit(organization, 50_000), await credit(organization, 700)];
    const charged = [
      await calls.make(organization, { charge: 999 }),
      await calls.make(organization, { held: 1_000, charge: 4_000 }),
      await calls.make(organization, { charge: 1 }),
      await calls.make(organization, { held: 60, charge: 60 }),
    ];
    await calls.make(organization, { charge: 0 });
    await calls.open(organization);

    const all = await everyTransaction(key);

    const { body: wallet } = await key.get('/api/v1/wallet');
    expect(all.reduce((sum, { amount_nanos: amount }) => sum + amount, 0)).toBe(wallet.balance_nanos);
    expect(wallet.balance_nanos).toBe(50_700 - 999 - 1_000 - 1 - 60);
    expect(all.map(({ balance_after_nanos: after }) => after)).toEqual(
      all.map((_, place) => all.slice(place).reduce((sum, { amount_nanos: amount }) => sum + amount, 0)),
    );
    const sources = all.map(({ kind, amount_nanos, request_id, credit_grant_id }) => [
      kind,
      amount_nanos,
      request_id ?? credit_grant_id,
    ]);
    expect(sources).toHaveLength(6);
    expect(sources).toEqual(
      expect.arrayContaining([
        ['credit_grant', 50_000, grants[0]!.id],
        ['credit_grant', 700, grants[1]!.id],
        ['charge', -999, charged[0]],
        ['charge', -1_000, charged[1]],
        ['charge', -1, charged[2]],
        ['charge', -60, charged[3]],
      ]),
    );
    for (const kind of ['charge', 'credit_grant']) {
      const { body } = await key.get(`/api/v1/wallet/transactions?kind=${kind}`);
      expect(body.data).toEqual(all.filter((transaction) => transaction.kind === kind));
    }
    const both = await key.get('/api/v1/wallet/transactions?kind=charge,credit_grant');
    expect(both.body.data).toEqual(all);
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual(ids.toSorted().reverse());
  });

  it('shows one transaction, and those of a span of time', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const grant = await credit(organization, 500);
    const [transaction] = await everyTransaction(key);

    expect(transaction).toMatchObject({
      organization_id: organization.id,
      kind: 'credit_grant',
      amount_nanos: 500,
      request_id: null,
      credit_grant_id: grant.id,
    });
    const { body } = await key.get(`/api/v1/wallet/transactions/${transaction.id}`);
    expect(body).toEqual(transaction);
    const at = transaction.created_at;
    const within = await key.get(`/api/v1/wallet/transactions?created_after=${at}`);
    expect(within.body.data).toEqual([transaction]);
    expect((await key.get(`/api/v1/wallet/transactions?created_before=${at}`)).body.data).toEqual([]);
  });

  it('does not show as a transaction what the platform lost by a call', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    await credit(organization, 5_000);
    const requestId = await calls.make(organization, { held: 10, charge: 30 });
    const overrun = await management.database.prisma.ledgerTransfer.findFirstOrThrow({
      where: { requestId, kind: 'overrun' },
    });

    expect((await key.get(`/api/v1/wallet/transactions/${overrun.id}`)).status).toBe(404);
  });

  it('shows who filled it and why', async () => {
    const organization = await management.newOrganization();
    const key = await management.withKey(organization);
    const first = await credit(organization, 500, 'Welcome');
    const second = await credit(organization, 700, 'Again');

    const { body } = await key.get('/api/v1/wallet/credit-grants');

    expect(body.data).toEqual([
      {
        id: second.id,
        organization_id: organization.id,
        amount_nanos: 700,
        reason: 'Again',
        created_at: second.createdAt.toISOString(),
      },
      expect.objectContaining({ id: first.id, amount_nanos: 500, reason: 'Welcome' }),
    ]);
    const scoped = `/api/v1/organizations/${organization.id}/wallet/credit-grants/${first.id}`;
    expect((await key.get(scoped)).body).toEqual(body.data[1]);
  });

  it('of another organization is not found', async () => {
    const theirs = await management.newOrganization();
    const grant = await credit(theirs, 500);
    const [transaction] = await everyTransaction(await management.withKey(theirs));
    const key = await management.withKey(await management.newOrganization());

    for (const path of [
      `/api/v1/organizations/${theirs.id}/wallet`,
      `/api/v1/organizations/${theirs.id}/wallet/credit-grants`,
      `/api/v1/organizations/${theirs.id}/wallet/transactions`,
      `/api/v1/wallet/credit-grants/${grant.id}`,
      `/api/v1/wallet/transactions/${transaction.id}`,
      `/api/v1/wallet/transactions/${systemIds('walletTransaction')}`,
      `/api/v1/wallet/credit-grants/${transaction.id}`,
    ]) {
      expect({ path, ...(await key.get(path)) }).toMatchObject({
        path,
        status: 404,
        body: { error: { code: 'not_found' } },
      });
    }
  });

  it('is no business of a project’s key, nor of a developer', async () => {
    const organization = await management.newOrganization();
    const projectKey = await management.withKey(organization, ['wallet:read'], organization.projectId);
    const developer = await management.withSession(organization, 'developer');
    const finance = await management.withSession(organization, 'finance');

    for (const path of ['', '/credit-grants', '/transactions']) {
      expect((await projectKey.get(`/api/v1/wallet${path}`)).status).toBe(403);
      expect((await developer.get(`/api/v1/wallet${path}`)).status).toBe(403);
      expect((await finance.get(`/api/v1/wallet${path}`)).status).toBe(200);
    }
  });
});
