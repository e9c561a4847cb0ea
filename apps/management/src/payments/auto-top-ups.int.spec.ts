import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import {
  startManagement,
  type Client,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

const PATH = '/api/v1/wallet/auto-top-up';
const METHOD = 'pm_06dpm2q4x8k3c0v9r7t5w1hzny';
const AMOUNTS = {
  threshold_nanos: 1_000_000_000,
  amount_nanos: 5_000_000_000,
  monthly_cap_nanos: 50_000_000_000,
};

let test: TestDatabase;
let management: ManagementUnderTest;
let organization: Organization;
let owner: Client;
beforeAll(async () => {
  test = await openTestDatabase();
  management = await startManagement({ database: test.database });
});
afterAll(async () => {
  await management.close();
  await test.close();
});
beforeEach(async () => {
  organization = await management.newOrganization();
  owner = await management.withSession(organization, 'owner');
});

const actions = async () => {
  const where = { organizationId: organization.id, targetType: 'auto_top_up' };
  const entries = await test.database.prisma.auditEntry.findMany({ where });
  return entries.map(({ action, changes }) => ({ action, changes }));
};

describe('automatic top-ups', () => {
  it('are switched off by `enabled: false` alone, which keeps the rest', async () => {
    await test.database.prisma.autoTopUp.create({
      data: {
        organizationId: organization.id,
        enabled: true,
        thresholdNanos: BigInt(AMOUNTS.threshold_nanos),
        amountNanos: BigInt(AMOUNTS.amount_nanos),
        monthlyCapNanos: BigInt(AMOUNTS.monthly_cap_nanos),
        paymentMethodId: METHOD,
      },
    });
    const off = { enabled: false, ...AMOUNTS, payment_method_id: METHOD };
    expect(await owner.put(PATH, { enabled: false })).toMatchObject({ status: 200, body: off });
    expect((await owner.get(PATH)).body).toMatchObject(off);
    expect(await actions()).toEqual([
      { action: 'auto_top_up.disable', changes: { enabled: { from: true, to: false } } },
    ]);
  });

  it('that were never set are switched off as they are read, and that is no change', async () => {
    const { body: read } = await owner.get(PATH);
    const { enabled, threshold_nanos, amount_nanos, monthly_cap_nanos, payment_method_id } = read as Record<
      string,
      unknown
    >;
    const asRead = { enabled, threshold_nanos, amount_nanos, monthly_cap_nanos, payment_method_id };
    expect(await owner.put(PATH, asRead)).toMatchObject({ status: 200, body: read });
    expect(await actions()).toEqual([]);
  });

  it.each([
    [{ enabled: true }, 'threshold_nanos'],
    [{ enabled: false, ...AMOUNTS, amount_nanos: null }, 'amount_nanos'],
    [{ enabled: false, ...AMOUNTS, monthly_cap_nanos: 4_000_000_000 }, 'monthly_cap_nanos'],
    [{ threshold_nanos: 1 }, 'enabled'],
  ])('%j is 400 at %s', async (body, param) => {
    expect(await owner.put(PATH, body)).toMatchObject({ status: 400, body: { error: { param } } });
  });
});
