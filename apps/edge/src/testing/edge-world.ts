import { apiKeyHash, visiblePrefix } from '@svc/access';
import { type PolicyDocument } from '@svc/policy';
import { type Database } from '@svc/database';
import { emptyTestDatabase, type TestDatabase } from '@svc/database/testing';
import { credentialContext } from '@svc/policy/store';
import { ScriptedUpstream } from '@svc/testing';
import { createSealer, systemIds } from '@svc/runtime';
import { MASTER_KEY, startEdge, type EdgeOptions, type EdgeUnderTest } from './edge-under-test';

/** The real edge over a real database, with a scripted provider. */
interface EdgeWorld {
  readonly database: Database;
  readonly upstream: ScriptedUpstream;
  readonly edge: EdgeUnderTest;
  /** Starts the edge. By default its one model is at the upstream. */
  start(options?: Partial<EdgeOptions>): Promise<void>;
  writePolicy(document: Partial<PolicyDocument>): Promise<void>;
  /** The policy of a project or a key. */
  writeLowerPolicy(
    level: 'project' | 'key',
    ownerId: string,
    document: object,
    version?: number,
  ): Promise<void>;
  /** Another key of the organization. @returns the key itself. */
  addKey(id: string, projectId?: string | null): Promise<string>;
  /** The organization's own credential at a provider. */
  storeCredential(provider: string, id: string, secret: string): Promise<void>;
  /** By default a blocking, monthly budget of the whole organization. */
  addBudget(amountNanos: bigint, fields?: object): Promise<void>;
}

/**
 * Gives every test of a spec its own edge, database and upstream. A call that reaches the upstream without a scripted
 * answer fails the test: refused and replayed calls must not reach a provider.
 */
export function edgeWorld(): EdgeWorld {
  let test: TestDatabase;
  let upstream: ScriptedUpstream;
  let edge: EdgeUnderTest | undefined;
  beforeEach(async () => {
    edge = undefined;
    test = await emptyTestDatabase();
    upstream = await ScriptedUpstream.start();
  });
  afterEach(async () => {
    try {
      await upstream.close();
    } finally {
      await edge?.close();
      await test.close();
    }
  });
  return {
    get database() {
      return test.database;
    },
    get upstream() {
      return upstream;
    },
    get edge() {
      if (edge === undefined) throw new Error('The edge was not started.');
      return edge;
    },
    async start(options) {
      edge = await startEdge({ database: test.database, upstreamUrls: [upstream.url], ...options });
    },
    async writePolicy(document) {
      const { organizationId } = this.edge;
      await test.database.prisma.policyVersion.create({
        data: { id: 'pol_1', organizationId, version: 1, document },
      });
    },
    async writeLowerPolicy(level, ownerId, document, version = 1) {
      const { organizationId } = this.edge;
      const id = `pol_${ownerId}_${String(version)}`;
      const policy = { id, organizationId, level, ownerId, version, document };
      await test.database.prisma.lowerPolicyVersion.create({ data: policy });
    },
    addKey(id, projectId = null) {
      return insertKey(test.database, { id, organizationId: this.edge.organizationId, projectId });
    },
    async storeCredential(provider, id, secret) {
      const { organizationId } = this.edge;
      const sealed = createSealer(MASTER_KEY).seal(Buffer.from(secret), credentialContext(id));
      const secretCiphertext = Uint8Array.from(sealed);
      await test.database.prisma.providerCredential.create({
        data: { id, organizationId, provider, label: 'ours', secretCiphertext, last4: secret.slice(-4) },
      });
    },
    async addBudget(amountNanos, fields) {
      await insertBudget(test.database, { organizationId: this.edge.organizationId, amountNanos, ...fields });
    },
  };
}

/** @returns the key itself. */
async function insertKey(
  { prisma }: Database,
  key: { readonly id: string; readonly organizationId: string; readonly projectId: string | null },
): Promise<string> {
  const secret = `svc_sk_${systemIds('apiKey')}`;
  const secretSha256 = Uint8Array.from(apiKeyHash(secret));
  const scopes = ['inference:invoke'];
  await prisma.apiKey.create({
    data: { ...key, name: key.id, prefix: visiblePrefix(secret), secretSha256, scopes },
  });
  return secret;
}

async function insertBudget(
  { prisma }: Database,
  { organizationId, ...fields }: { readonly organizationId: string; readonly amountNanos: bigint },
): Promise<void> {
  await prisma.budget.create({
    data: {
      id: 'bud_1',
      organizationId,
      name: 'Night shift',
      scope: 'organization',
      scopeId: organizationId,
      period: 'month',
      action: 'block',
      warnAtBps: 8_000,
      ...fields,
    },
  });
}
