import { openTestDatabase, type TestDatabase } from '../testing';
import { PolicyStore } from './policy-store';

// Starting and migrating a server takes seconds on a busy machine.
jest.setTimeout(60_000);

let test: TestDatabase;
beforeEach(async () => {
  test = await openTestDatabase();
  const { prisma } = test.database;
  await prisma.organization.createMany({ data: ['org_1', 'org_2'].map((id) => ({ id, name: id })) });
  await prisma.policyVersion.createMany({
    data: [1, 10, 9].map((version) => ({
      id: `pol_${String(version)}`,
      organizationId: 'org_1',
      version,
      document: { max_attempts: version },
    })),
  });
});
afterEach(() => test.close());

describe('the current policy', () => {
  it('is the newest version of the organization’s own', async () => {
    const store = new PolicyStore(test.database);
    expect(await store.current('org_1')).toEqual({ version: 10, document: { max_attempts: 10 } });
    expect(await store.current('org_2')).toBeNull();
  });
});
