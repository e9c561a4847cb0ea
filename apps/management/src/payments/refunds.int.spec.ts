import { openSettlement, type PaymentSettlement } from '@svc/payments/work';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { ScriptedProvider } from '@svc/payments/testing';
import { createMetrics } from '@svc/runtime/observability';
import { retryBusy } from '@svc/testing';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

const DOLLAR = 1_000_000_000;

describe('refunds by the operator', () => {
  let store: TestDatabase;
  let management: ManagementUnderTest;
  let operator: Client;
  const provider = new ScriptedProvider();
  let settlement: PaymentSettlement;

  beforeAll(async () => {
    store = await openTestDatabase();
    const { database } = store;
    const baseUrl = 'https://svc.example';
    const metrics = createMetrics('management');
    settlement = openSettlement({ database, provider, baseUrl, reconcileSeconds: 600, metrics });
    management = await startManagement({ database, payments: { provider, settlement } });
    operator = management.client({ authorization: `Bearer ${management.platformToken}` });
  });
  afterAll(async () => {
    await management.close();
    await store.close();
  });

  async function paid(owner: Client, dollars: number): Promise<string> {
    const { body } = await owner.post('/api/v1/wallet/top-ups', { amount_nanos: dollars * DOLLAR });
    const id = body.payment.id as string;
    provider.set(`cs_${id}`, { standing: 'paid' });
    await settlement.check(id);
    return id;
  }

  const refund = (id: string, dollars?: number) =>
    operator.post(`/platform/v1/payments/${id}/refund`, {
      ...(dollars === undefined ? {} : { amount_nanos: dollars * DOLLAR }),
      reason: 'Too much',
    });

  it('a hundred at once take no more than the wallet has, and each 200 is a refund', async () => {
    const owner = await management.withSession(await management.newOrganization(), 'owner');
    const ids = [await paid(owner, 20), await paid(owner, 20)];
    await refund(ids[0]!, 19);
    await refund(ids[1]!, 18);

    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) => retryBusy(() => refund(ids[at % 2]!, 2))),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(99);
    await Promise.all(ids.map((id) => settlement.check(id)));
    const { body } = await owner.get('/api/v1/wallet');
    expect(body).toMatchObject({ balance_nanos: DOLLAR, owed_nanos: 0, available_nanos: DOLLAR });
  });

  it('of all that is left leave what others at once have taken', async () => {
    const owner = await management.withSession(await management.newOrganization(), 'owner');
    const id = await paid(owner, 20);
    const answers = await Promise.all([refund(id, 5), refund(id), refund(id, 5), refund(id)]);
    await settlement.check(id);

    expect(answers.map(({ status }) => status).sort()).not.toContain(500);
    const { body } = await owner.get(`/api/v1/payments/${id}`);
    expect(body).toMatchObject({ state: 'refunded', refunded_nanos: 20 * DOLLAR });
    expect((await owner.get('/api/v1/wallet')).body).toMatchObject({ balance_nanos: 0, owed_nanos: 0 });
  });

  it('that the provider refuses are 409, and the wallet has its money again', async () => {
    const owner = await management.withSession(await management.newOrganization(), 'owner');
    const id = await paid(owner, 20);
    provider.refusesRefunds = true;
    const { status } = await refund(id, 5);
    provider.refusesRefunds = false;

    expect(status).toBe(409);
    expect((await owner.get('/api/v1/wallet')).body).toMatchObject({ balance_nanos: 20 * DOLLAR });
    expect((await refund(id)).body).toMatchObject({ state: 'refunded' });
  });
});
