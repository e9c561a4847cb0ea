import { systemIds } from '@svc/runtime';
import {
  startManagement,
  type Client,
  type ManagementUnderTest,
  type Organization,
} from '../testing/management-under-test';

describe('budgets', () => {
  let management: ManagementUnderTest;
  beforeAll(async () => {
    management = await startManagement();
  });
  afterAll(() => management.close());

  const newBudget = async (caller: Client, fields: object) => {
    const body = { name: 'Of a spec', period: 'month', amount_nanos: 1, action: 'warn', ...fields };
    return (await caller.post('/api/v1/budgets', body)).body.id as string;
  };
  /** Usage of a day that began so many months or days ago. */
  const spend = (organizationId: string, ago: string, apiKeyId: string, customerNanos: number) =>
    management.database.pool.query(
      `INSERT INTO usage_days (organization_id, day, model, project_id, api_key_id, provider, request_count,
         input_tokens, cached_input_tokens, cache_write_tokens, output_tokens, reasoning_tokens, customer_nanos)
       SELECT $1, (date_trunc(split_part($2, ' ', 2), now() AT TIME ZONE 'UTC') - $2::interval)::date, 'acme/small', '', $3,
         'acme', 1, 1, 0, 0, 1, 0, $4`,
      [organizationId, ago, apiKeyId, customerNanos],
    );
  const spentAt = async (caller: Client, id: string) =>
    (await caller.get(`/api/v1/budgets/${id}/periods`)).body.data.map(
      ({ spent_nanos }: { spent_nanos: number }) => spent_nanos,
    );

  it('tell what their scope spent in each of the last months or days, the current one first', async () => {
    const organization = await management.newOrganization();
    const caller = await management.withKey(organization);
    const own = { scope: 'api_key', scope_id: caller.keyId };
    await spend(organization.id, '0 month', caller.keyId, 7);
    await spend(organization.id, '2 month', caller.keyId, 11);
    await spend(organization.id, '2 month', 'key_other', 13);
    await spend(organization.id, '11 month', caller.keyId, 17);
    await spend(organization.id, '12 month', caller.keyId, 19);

    const zeros = (count: number) => Array.from({ length: count }, () => 0);
    expect(await spentAt(caller, await newBudget(caller, own))).toEqual([7, 0, 11, ...zeros(8), 17]);
    const ofAll = await newBudget(caller, { scope: 'organization' });
    expect(await spentAt(caller, ofAll)).toEqual([7, 0, 24, ...zeros(8), 17]);
    expect(await spentAt(caller, await newBudget(caller, { ...own, period: 'day' }))).toHaveLength(31);
    expect(await spentAt(caller, await newBudget(caller, { ...own, period: 'session' }))).toEqual([]);
  });

  it('name the days that a period begins and ends on', async () => {
    const caller = await management.withKey(await management.newOrganization());
    const id = await newBudget(caller, { scope: 'organization', period: 'day' });
    const { data } = (await caller.get(`/api/v1/budgets/${id}/periods`)).body;
    const [today, yesterday] = data as { start: string; end: string }[];
    expect(Date.parse(today!.end) - Date.parse(today!.start)).toBe(86_400_000);
    expect(yesterday!.end).toBe(today!.start);
  });

  it('tell their periods to nobody who does not see them', async () => {
    const organization = await management.newOrganization();
    const id = await newBudget(await management.withKey(organization), { scope: 'organization' });
    const path = `/api/v1/budgets/${id}/periods`;
    const own = await management.withKey(organization, undefined, organization.projectId);
    const theirs = await management.withKey(await management.newOrganization());
    for (const caller of [own, theirs]) expect((await caller.get(path)).status).toBe(404);
  });

  it('are found by a key whose calls they count', async () => {
    const organization = await management.newOrganization();
    const wide = await management.withKey(organization);
    const own = await management.withKey(organization, undefined, organization.projectId);
    const names = await budgetsOf(organization, wide, own.keyId);

    const found = async (keyId: string, query = '') => {
      const { body } = await wide.get(`/api/v1/budgets?applies_to=${keyId}${query}`);
      return body.data.map(({ id }: { id: string }) => names.get(id)).sort();
    };
    expect(await found(own.keyId)).toEqual(['key', 'organization', 'project', 'sessions']);
    expect(await found(own.keyId, '&scope=project')).toEqual(['project']);
    expect(await found(own.keyId, '&enabled=false')).toEqual([]);
    expect(await found(wide.keyId)).toEqual(['organization', 'sessions']);
    expect(await found(systemIds('apiKey'))).toEqual([]);
    const theirs = await management.withKey(await management.newOrganization());
    expect((await theirs.get(`/api/v1/budgets?applies_to=${own.keyId}`)).body.data).toEqual([]);
  });

  async function budgetsOf({ projectId }: Organization, caller: Client, keyId: string) {
    const other = (await caller.post('/api/v1/projects', { name: 'Other' })).body.id;
    const fields: Readonly<Record<string, object>> = {
      organization: { scope: 'organization' },
      sessions: { scope: 'organization', period: 'session' },
      disabled: { scope: 'organization', enabled: false },
      project: { scope: 'project', scope_id: projectId },
      'other project': { scope: 'project', scope_id: other },
      key: { scope: 'api_key', scope_id: keyId },
    };
    const ids = new Map<string, string>();
    for (const [name, its] of Object.entries(fields)) ids.set(await newBudget(caller, its), name);
    return ids;
  }
});
