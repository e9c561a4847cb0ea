import { BudgetSpendStore } from '@svc/ledger/store';
import { startManagement, type Client, type ManagementUnderTest } from '../testing/management-under-test';

/** Not exact as a double: it would be read as …992. */
const BEYOND = '9007199254740993';

describe('amounts', () => {
  let management: ManagementUnderTest;
  let caller: Client;
  let organizationId: string;
  beforeAll(async () => {
    management = await startManagement();
    const organization = await management.newOrganization();
    organizationId = organization.id;
    caller = await management.withKey(organization);
    await management.database.pool.query(
      `INSERT INTO usage_days (organization_id, day, model, project_id, api_key_id, provider, request_count,
         input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, customer_nanos)
       VALUES ($1, (now() AT TIME ZONE 'UTC')::date, 'acme/small', '', 'key_1', 'acme', 1, 1, 0, 0, 1, 0, $2)`,
      [organizationId, BEYOND],
    );
  });
  afterAll(() => management.close());

  const textOf = async (path: string) =>
    (await fetch(management.url + path, { headers: caller.headers })).text();
  const budget = { name: 'All', scope: 'organization', period: 'month', amount_nanos: 1, action: 'warn' };

  it('that are sums have all their digits in answers and events', async () => {
    await caller.post('/api/v1/budgets', budget);
    expect(await textOf('/api/v1/budgets')).toContain(`"spent_nanos":${BEYOND},`);
    const usage = await textOf('/api/v1/usage?group_by=model');
    expect(usage.match(new RegExp(`"customer_nanos":${BEYOND}[,}]`, 'g'))).toHaveLength(2);

    await management.database.pool.query(
      `INSERT INTO budget_spends (budget_id, period_key, spent_nanos)
       SELECT id, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM'), $2 FROM budgets WHERE organization_id = $1`,
      [organizationId, BEYOND],
    );
    await new BudgetSpendStore(management.database).announceCrossings(10);
    const events = await management.database.prisma.outboxEvent.findMany({ where: { organizationId } });
    expect(events.map(({ payload }) => payload)).toEqual([
      expect.stringContaining(`"spent_nanos":${BEYOND},`),
      expect.stringContaining(`"spent_nanos":${BEYOND},`),
    ]);
  });

  it.each([BEYOND, '9007199254740992', '1.5', '1e300', '"5"'])(
    'of one thing are refused where they could not be held exactly (%s)',
    async (amount) => {
      const body = JSON.stringify(budget).replace('"amount_nanos":1', `"amount_nanos":${amount}`);
      const answer = await caller.post('/api/v1/budgets', body);
      expect([answer.status, answer.body.error.param]).toEqual([400, 'amount_nanos']);
      expect(answer.body.error.message).toContain('must be an integer of nano-dollars, at most 2⁵³ − 1');
    },
  );
});
