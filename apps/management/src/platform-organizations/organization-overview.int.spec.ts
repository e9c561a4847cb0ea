import { UnitOfWork } from '@svc/database';
import { nanos } from '@svc/kernel';
import { WalletStore } from '@svc/ledger/store';
import { systemIds } from '@svc/runtime';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

/** A minute after a UTC day began. */
const NOW = Date.parse('2026-11-20T00:01:00Z');
const OWNERS_SHOWN = 20;

describe('what the operator sees of an organization', () => {
  let management: ManagementUnderTest;
  let operator: Client;
  beforeAll(async () => {
    management = await startManagement({ clock: { now: () => NOW } });
    operator = management.client({ authorization: `Bearer ${management.platformToken}` });
  });
  afterAll(() => management.close());

  const pathOf = (id: string, rest: string) => `/platform/v1/organizations/${id}/${rest}`;

  describe('its overview', () => {
    const overviewOf = async (id: string) => (await operator.get(pathOf(id, 'overview'))).body;
    const spent = (organizationId: string, day: string, customerNanos: bigint, model = 'acme/small') =>
      management.database.prisma.usageDay.create({
        data: {
          organizationId,
          day: new Date(day),
          ...{ projectId: '', apiKeyId: systemIds('apiKey'), model, provider: 'acme', requestCount: 1 },
          ...{ inputTokens: 1, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1 },
          ...{ reasoningTokens: 0, customerNanos, providerNanos: 9_999 },
        },
      });

    it('counts active members and owners, and lists the owners without the others', async () => {
      const organization = await management.newOrganization();
      const first = (await overviewOf(organization.id)).member_count as number;
      const owner = await management.withSession(organization, 'owner');
      await management.withSession(organization, 'viewer');
      const gone = await management.withSession(organization, 'owner');
      await management.database.prisma.member.update({
        where: { id: gone.memberId },
        data: { state: 'removed', removedAt: new Date() },
      });
      await management.withSession(await management.newOrganization(), 'owner');

      const overview = await overviewOf(organization.id);
      expect(overview).toMatchObject({ organization_id: organization.id, member_count: first + 2 });
      const { email } = await management.database.prisma.user.findUniqueOrThrow({
        where: { id: owner.userId },
      });
      expect(overview.owners[0]).toMatchObject({
        ...{ member_id: owner.memberId, user_id: owner.userId, email },
      });
      expect(overview.owners).toHaveLength(overview.owner_count);
    });

    it('counts all owners where it lists the newest alone', async () => {
      const organization = await management.newOrganization();
      for (let at = 0; at < OWNERS_SHOWN + 1; at++) await management.withSession(organization, 'owner');
      const newest = await management.withSession(organization, 'owner');
      const { owners, owner_count } = await overviewOf(organization.id);
      expect([owners.length, owners[0].member_id]).toEqual([OWNERS_SHOWN, newest.memberId]);
      expect(owner_count).toBeGreaterThan(OWNERS_SHOWN);
    });

    it('sums up what the last 7 and 30 UTC days cost, today included, to the nano', async () => {
      const organization = await management.newOrganization();
      const { id } = organization;
      const most = BigInt(Number.MAX_SAFE_INTEGER);
      for (const [day, amount] of [
        ['2026-11-21', 100_000n],
        ['2026-11-20', 1n],
        ['2026-11-14', 20n],
        ['2026-11-13', 300n],
        ['2026-10-22', most],
        ['2026-10-21', 50_000n],
      ] as const)
        await spent(id, day, amount);
      await spent(id, '2026-11-20', 4_000n, 'acme/large');
      await spent((await management.newOrganization()).id, '2026-11-20', 7n);

      const answer = await fetch(management.url + pathOf(id, 'overview'), {
        headers: { authorization: `Bearer ${management.platformToken}` },
      });
      const sums = /"spend":\{"last_7_days_nanos":(\d+),"last_30_days_nanos":(\d+)\}/.exec(
        await answer.text(),
      );
      expect(sums?.slice(1)).toEqual(['4021', String(most + 4_321n)]);
    });

    it('of a new organization has no owner and no spend', async () => {
      const { body } = await operator.post('/platform/v1/organizations', {
        ...{ name: 'Acme', owner_email: 'nobody-yet@example.com' },
      });
      expect(await overviewOf(body.id)).toEqual({
        organization_id: body.id,
        ...{ member_count: 0, owner_count: 0, owners: [] },
        spend: { last_7_days_nanos: 0, last_30_days_nanos: 0 },
      });
    });
  });

  describe('its credit grants', () => {
    const grantsOf = async (id: string, query = '') =>
      (await operator.get(pathOf(id, `credit-grants${query}`))).body;
    const give = async (id: string, reason: string) =>
      (await operator.post(pathOf(id, 'credit-grants'), { amount_nanos: 700, reason })).body;
    const topUp = (organizationId: string) =>
      new UnitOfWork(management.database).transaction((tx) =>
        new WalletStore(management.database).topUpWithin(tx, {
          ...{ id: systemIds('payment'), organizationId, amount: nanos(5) },
        }),
      );

    it('are those that the operator gave, newest first, page by page, without what was paid for', async () => {
      const { id } = await management.newOrganization();
      await topUp(id);
      const first = await give(id, 'Invoice 1');
      await topUp(id);
      const second = await give(id, 'Invoice 2');
      await topUp(id);
      await give((await management.newOrganization()).id, 'Of another');

      expect((await grantsOf(id)).data).toEqual([second, first]);
      const page = await grantsOf(id, '?limit=1');
      expect(page).toMatchObject({ data: [second], has_more: true });
      expect(await grantsOf(id, `?limit=1&cursor=${page.next_cursor}`)).toEqual({
        data: [first],
        has_more: false,
        next_cursor: null,
      });
    });

    it('are an empty list where there was none', async () => {
      const { id } = await management.newOrganization();
      expect(await grantsOf(id)).toEqual({ data: [], has_more: false, next_cursor: null });
    });
  });
});
