import { type PolicyDocument } from '@svc/inference';
import { credentialContext, type Database } from '@svc/persistence';
import { openTestDatabase, type TestDatabase } from '@svc/persistence/testing';
import { ScriptedUpstream } from '@svc/testing';
import { createSealer } from '@svc/platform';
import { MASTER_KEY, startEdge, type EdgeOptions, type EdgeUnderTest } from './edge-under-test';

/** The real edge with a provider that says what the spec scripts, over a real database. */
export interface EdgeWorld {
  readonly database: Database;
  readonly upstream: ScriptedUpstream;
  readonly edge: EdgeUnderTest;
  /** Starts the edge. Unless the options say otherwise, its one model is at the upstream. */
  start(options?: Partial<EdgeOptions>): Promise<void>;
  writePolicy(document: Partial<PolicyDocument>): Promise<void>;
  /** The organization's own credential at a provider. */
  storeCredential(provider: string, id: string, secret: string): Promise<void>;
  /** A budget that blocks for the whole organization and month, unless the fields say otherwise. */
  addBudget(amountNanos: bigint, fields?: object): Promise<void>;
}

/**
 * Gives every test of a spec a world of its own, and takes it down again. A call that reached the upstream without
 * being scripted fails the test there: whatever is refused or replayed, no provider may hear of.
 */
export function edgeWorld(): EdgeWorld {
  let test: TestDatabase;
  let upstream: ScriptedUpstream;
  let edge: EdgeUnderTest | undefined;
  beforeEach(async () => {
    edge = undefined;
    test = await openTestDatabase();
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
    async storeCredential(provider, id, secret) {
      const { organizationId } = this.edge;
      const sealed = createSealer(MASTER_KEY).seal(Buffer.from(secret), credentialContext(id));
      const secretCiphertext = Uint8Array.from(sealed);
      await test.database.prisma.providerCredential.create({
        data: { id, organizationId, provider, label: 'ours', secretCiphertext, last4: secret.slice(-4) },
      });
    },
    async addBudget(amountNanos, fields) {
      const { organizationId } = this.edge;
      await test.database.prisma.budget.create({
        data: {
          id: 'bud_1',
          organizationId,
          name: 'Night shift',
          scope: 'organization',
          scopeId: organizationId,
          period: 'month',
          amountNanos,
          action: 'block',
          warnAtBps: 8_000,
          ...fields,
        },
      });
    },
  };
}
