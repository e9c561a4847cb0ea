import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { nanos } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { WalletStore } from './wallet-store';

let test: TestDatabase;
let wallets: WalletStore;
beforeAll(async () => {
  test = await openTestDatabase();
  wallets = new WalletStore(test.database);
});
afterAll(() => test.close());

const newOrganization = async (): Promise<string> => {
  const id = systemIds('organization');
  await test.database.prisma.organization.create({ data: { id, name: 'Acme' } });
  return id;
};

describe('a credit', () => {
  it('raises the wallet, is booked, and is told', async () => {
    const organizationId = await newOrganization();
    await wallets.credit(organizationId, nanos(500), 'first');
    const grant = await wallets.credit(organizationId, nanos(700), 'second');
    const { prisma } = test.database;
    expect(grant).toMatchObject({ organizationId, amount: 700n, reason: 'second' });
    expect(await prisma.wallet.findUnique({ where: { organizationId } })).toMatchObject({
      balanceNanos: 1_200n,
    });
    expect(await prisma.creditGrant.count({ where: { organizationId } })).toBe(2);
    expect(await prisma.ledgerTransfer.findFirst({ where: { creditGrantId: grant.id } })).toMatchObject({
      debitAccount: 'platform:credit',
      creditAccount: `wallet:${organizationId}`,
      amountNanos: 700n,
      kind: 'credit_grant',
    });
    const events = await prisma.outboxEvent.findMany({ where: { organizationId }, orderBy: { id: 'asc' } });
    expect(events.map(({ payload }) => (JSON.parse(payload) as { data: object }).data)).toContainEqual({
      credit_grant_id: grant.id,
      amount_nanos: 700,
      balance_nanos: 1_200,
    });
  });

  it('loses nothing when many come at once', async () => {
    const organizationId = await newOrganization();
    await Promise.all(Array.from({ length: 20 }, () => wallets.credit(organizationId, nanos(5), 'many')));
    const wallet = await test.database.prisma.wallet.findUnique({ where: { organizationId } });
    expect(wallet?.balanceNanos).toBe(100n);
  });

  it.each([0, -1, Number.MAX_SAFE_INTEGER + 1])('of %d is refused', async (amount) => {
    const organizationId = await newOrganization();
    await expect(wallets.credit(organizationId, nanos(amount), 'x')).rejects.toMatchObject({
      reason: 'invalidRequest',
      param: 'amount_nanos',
    });
  });

  it('that would lift the balance beyond what JSON can say is refused, and changes nothing', async () => {
    const organizationId = await newOrganization();
    await wallets.credit(organizationId, nanos(Number.MAX_SAFE_INTEGER), 'all');
    await expect(wallets.credit(organizationId, nanos(1), 'one more')).rejects.toMatchObject({
      reason: 'invalidRequest',
    });
    const wallet = await test.database.prisma.wallet.findUnique({ where: { organizationId } });
    expect(wallet?.balanceNanos).toBe(BigInt(Number.MAX_SAFE_INTEGER));
  });

  it('for an unknown organization is refused', async () => {
    await expect(wallets.credit('org_unknown', nanos(1), 'x')).rejects.toMatchObject({ reason: 'notFound' });
  });
});
