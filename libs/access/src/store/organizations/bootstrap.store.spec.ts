import { createHash } from 'node:crypto';
import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { nanos, ZERO_NANOS } from '@svc/kernel';
import { ApiKeyStore } from '../keys/api-key-store';
import { bootstrap, type BootstrapInput } from './bootstrap';
import { ProjectStore } from './project-store';

let test: TestDatabase;
beforeEach(async () => {
  test = await emptyTestDatabase();
});
afterEach(() => test.close());

const sha256 = createHash('sha256').update('svc_sk_secret').digest();
const input: BootstrapInput = {
  organizationName: 'Acme',
  ownerEmail: 'Owner@Example.com',
  ownerPasswordHash: '$argon2id$…',
  projectName: 'Default',
  apiKey: { name: 'First', sha256, prefix: 'svc_sk_secret__', scopes: ['inference:invoke', 'org:read'] },
  credit: nanos(1_000),
};

describe('bootstrap', () => {
  it('makes one organization however many processes start at once', async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => bootstrap(test.database, input)));
    expect(results.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(results.map(({ organizationId }) => organizationId)).size).toBe(1);
    expect(new Set(results.map(({ projectId }) => projectId)).size).toBe(1);
    expect(results[0]?.ownerEmail).toBe('owner@example.com');
    const { prisma } = test.database;
    expect(await prisma.organization.count()).toBe(1);
    expect(await prisma.member.findMany()).toMatchObject([{ role: 'owner', state: 'active' }]);
    expect(await prisma.wallet.findMany()).toMatchObject([{ balanceNanos: 1_000n }]);
  });

  it('makes an empty wallet without credit', async () => {
    await bootstrap(test.database, { ...input, credit: ZERO_NANOS });
    expect(await test.database.prisma.wallet.findMany()).toMatchObject([{ balanceNanos: 0n }]);
  });

  it('makes a key and a project that the edge finds, and only in their organization', async () => {
    const { organizationId, projectId } = await bootstrap(test.database, input);
    const keys = new ApiKeyStore(test.database);
    expect(await keys.findBySha256(sha256.toString('base64'))).toMatchObject({
      organizationId,
      projectId: null,
      scopes: ['inference:invoke', 'org:read'],
      state: 'active',
      expiresAt: null,
      rateLimitRpm: null,
      rateLimitTpm: null,
      organizationRpm: null,
      organizationTpm: null,
      organizationState: 'active',
    });
    expect(await keys.findBySha256(Buffer.alloc(32).toString('base64'))).toBeNull();
    const projects = new ProjectStore(test.database);
    expect(await projects.findProject(organizationId, projectId)).toMatchObject({
      id: projectId,
      state: 'active',
    });
    expect(await projects.findProject('org_other', projectId)).toBeNull();
  });
});

describe('an API key', () => {
  it('cannot be scoped to another organization’s project', async () => {
    const { projectId } = await bootstrap(test.database, input);
    const { prisma } = test.database;
    await prisma.organization.create({ data: { id: 'org_other', name: 'Other' } });
    const foreign = {
      id: 'key_x',
      organizationId: 'org_other',
      projectId,
      name: 'x',
      prefix: 'x',
      scopes: [],
    };
    await expect(
      prisma.apiKey.create({ data: { ...foreign, secretSha256: Buffer.alloc(32) } }),
    ).rejects.toThrow();
  });
});
