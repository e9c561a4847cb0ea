import { UnitOfWork } from '@svc/database';
import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { systemIds } from '@svc/runtime';
import { PolicyStore } from './policy-store';

let test: TestDatabase;
let store: PolicyStore;
beforeEach(async () => {
  test = await emptyTestDatabase();
  store = new PolicyStore(test.database);
  const { prisma } = test.database;
  await prisma.organization.createMany({ data: ['org_1', 'org_2'].map((id) => ({ id, name: id })) });
});
afterEach(() => test.close());

const keep = (versions: readonly number[], organizationId = 'org_1') =>
  test.database.prisma.policyVersion.createMany({
    data: versions.map((version) => ({
      id: `pol_${organizationId}_${String(version)}`,
      organizationId,
      version,
      document: { max_attempts: version },
    })),
  });
const versionsOf = (items: readonly { readonly version: number }[]) => items.map(({ version }) => version);

describe('the current policy', () => {
  it('is the newest version of the organization’s own', async () => {
    await keep([1, 10, 9]);
    expect(await store.current('org_1')).toEqual({ version: 10, document: { max_attempts: 10 } });
    expect(await store.newest('org_1')).toMatchObject({ id: 'pol_org_1_10', version: 10, createdBy: null });
    expect(await store.current('org_2')).toBeNull();
    expect(await store.newest('org_2')).toBeNull();
  });
});

describe('the versions of a policy', () => {
  it('are listed from the newest, by their number and whatever their ids', async () => {
    await keep([1, 2, 3, 9, 10]);
    await keep([1, 2], 'org_2');
    const first = await store.listPolicyVersions('org_1', { limit: 2, before: null });
    expect([versionsOf(first.items), first.hasMore]).toEqual([[10, 9], true]);
    const rest = await store.listPolicyVersions('org_1', { limit: 3, before: first.items[1]!.id });
    expect([versionsOf(rest.items), rest.hasMore]).toEqual([[3, 2, 1], false]);
  });

  it('show nothing of another organization, not even by its cursor', async () => {
    await keep([1, 2]);
    await keep([1, 2], 'org_2');
    expect(await store.findPolicyVersion('org_1', 'pol_org_2_1')).toBeNull();
    expect((await store.listPolicyVersions('org_1', { limit: 2, before: 'pol_org_2_2' })).items).toEqual([]);
  });

  it('have neither gaps nor duplicates, however many are written at once', async () => {
    const unitOfWork = new UnitOfWork(test.database);
    const write = () =>
      unitOfWork.transaction(async (tx) => {
        const version = ((await store.lockNewest(tx, 'org_1'))?.version ?? 0) + 1;
        const id = systemIds('policy');
        return store.appendPolicyVersion(tx, {
          id,
          organizationId: 'org_1',
          version,
          document: {},
          createdBy: null,
        });
      });
    const written = await Promise.all(Array.from({ length: 10 }, write));
    expect(versionsOf(written).toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('hold up no row that refers to the organization', async () => {
    await new UnitOfWork(test.database).transaction(async (tx) => {
      await store.lockNewest(tx, 'org_1');
      await test.database.prisma.project.create({
        data: { id: 'proj_1', organizationId: 'org_1', name: 'One' },
      });
    });
    expect(await test.database.prisma.project.count()).toBe(1);
  });
});
