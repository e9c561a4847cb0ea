import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { LowerPolicyStore, type PolicyOwner } from './lower-policy-store';
import { PolicyStore } from './policy-store';

let test: TestDatabase;
let store: LowerPolicyStore;
beforeEach(async () => {
  test = await emptyTestDatabase();
  store = new LowerPolicyStore(test.database);
  const { prisma } = test.database;
  await prisma.organization.createMany({ data: ['org_1', 'org_2'].map((id) => ({ id, name: id })) });
});
afterEach(() => test.close());

const NO_PRICES = { priceBps: null, ownCredentialBps: null };
const PROJECT: PolicyOwner = { organizationId: 'org_1', level: 'project', ownerId: 'proj_1' };
const keep = (versions: readonly number[], owner = PROJECT) =>
  test.database.prisma.lowerPolicyVersion.createMany({
    data: versions.map((version) => ({
      id: `pol_${owner.organizationId}_${owner.ownerId}_${String(version)}`,
      ...owner,
      version,
      document: { max_output_tokens: version },
    })),
  });

describe('the policy of a project or a key', () => {
  it('is the newest version of its own', async () => {
    await keep([1, 10, 9]);
    await keep([1], { ...PROJECT, ownerId: 'proj_2' });
    expect(await store.current(PROJECT)).toEqual({ version: 10, document: { max_output_tokens: 10 } });
    expect(await store.newest(PROJECT)).toMatchObject({ version: 10, level: 'project', createdBy: null });
    for (const other of [{ level: 'key' as const }, { organizationId: 'org_2' }, { ownerId: 'proj_3' }]) {
      expect(await store.current({ ...PROJECT, ...other })).toBeNull();
    }
  });

  it('shows its versions from the newest, and none of another owner', async () => {
    await keep([1, 2, 3]);
    const other = { ...PROJECT, ownerId: 'proj_2' };
    await keep([1, 2], other);
    const first = await store.listLowerPolicyVersions(PROJECT, { limit: 2, before: null });
    expect([first.items.map(({ version }) => version), first.hasMore]).toEqual([[3, 2], true]);
    const rest = await store.listLowerPolicyVersions(PROJECT, { limit: 2, before: first.items[1]!.id });
    expect(rest.items.map(({ version }) => version)).toEqual([1]);
    expect(await store.findLowerPolicyVersion(PROJECT, 'pol_org_1_proj_2_1')).toBeNull();
    expect(
      (await store.listLowerPolicyVersions(PROJECT, { limit: 2, before: 'pol_org_1_proj_2_2' })).items,
    ).toEqual([]);
  });

  it('is never taken for the organization’s, which says that it has one', async () => {
    const policies = new PolicyStore(test.database);
    expect(await policies.forCalls('org_1')).toEqual({
      version: 0,
      document: null,
      isNarrowed: false,
      rollouts: {},
      ...NO_PRICES,
    });
    await keep([1]);
    expect(await policies.current('org_1')).toBeNull();
    expect(await policies.forCalls('org_1')).toEqual({
      version: 0,
      document: null,
      isNarrowed: true,
      rollouts: {},
      ...NO_PRICES,
    });
    await test.database.prisma.policyVersion.create({
      data: { id: 'pol_own', organizationId: 'org_1', version: 4, document: {} },
    });
    expect(await policies.forCalls('org_1')).toEqual({
      version: 4,
      document: {},
      isNarrowed: true,
      rollouts: {},
      ...NO_PRICES,
    });
    expect(await policies.forCalls('org_2')).toMatchObject({ isNarrowed: false });
  });
});
