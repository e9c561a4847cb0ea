import { type Database, lockOrganization, prismaOf, sliceOf, type Transaction } from '@svc/database';
import { type Prisma } from '@svc/database/rows';
import { type JsonValue, type Page, type Slice } from '@svc/kernel';

/** The policy that calls are checked against. */
export interface CurrentPolicy {
  readonly version: number;
  /** As the user wrote it (docs/reference/routing-policy.md#versions). */
  readonly document: JsonValue;
}

/** The policy that calls of an organization are checked against. */
export interface CallPolicy {
  /** 0 for an organization without a policy; its document is null then. */
  readonly version: number;
  readonly document: JsonValue;
  /** True where a project or a key of it has a policy. */
  readonly isNarrowed: boolean;
  /** Ids of the rollouts that run, by their names. */
  readonly rollouts: Readonly<Record<string, string>>;
  /** The price that the operator set for the organization; null is the default (docs/reference/money.md#prices). */
  readonly priceBps?: number | null;
  readonly ownCredentialBps?: number | null;
}

/** One version of an organization's policy. */
export interface PolicyVersionRecord extends CurrentPolicy {
  readonly id: string;
  readonly organizationId: string;
  /** The user who wrote it; null where the caller was not a user. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
}

type NewPolicyVersion = Omit<PolicyVersionRecord, 'createdAt'>;

export class PolicyStore {
  constructor(private readonly database: Database) {}

  /** @returns the policy that calls are checked against; null for an organization without one. */
  async current(organizationId: string): Promise<CurrentPolicy | null> {
    const { rows } = await this.database.pool.query<CurrentPolicy>({
      name: 'current_policy',
      text: `SELECT version, document FROM policy_versions
             WHERE organization_id = $1 ORDER BY version DESC LIMIT 1`,
      values: [organizationId],
    });
    return rows[0] ?? null;
  }

  /** For edges: one statement also says whether lower policies need a look, which rollouts run, and what calls cost. */
  async forCalls(organizationId: string): Promise<CallPolicy> {
    const { rows } = await this.database.pool.query<CallPolicy>({
      name: 'policy_for_calls',
      text: `SELECT coalesce(p.version, 0) AS version, p.document,
               EXISTS (SELECT FROM lower_policy_versions l WHERE l.organization_id = $1) AS "isNarrowed",
               coalesce((
                 SELECT jsonb_object_agg(r.name, r.id) FROM rollouts r WHERE r.organization_id = $1 AND r.state = 'running'
               ), '{}') AS rollouts,
               o.price_bps AS "priceBps", o.own_credential_bps AS "ownCredentialBps"
             FROM (SELECT) AS one LEFT JOIN organizations o ON o.id = $1 LEFT JOIN LATERAL (
               SELECT version, document FROM policy_versions
               WHERE organization_id = $1 ORDER BY version DESC LIMIT 1
             ) p ON true`,
      values: [organizationId],
    });
    return rows[0] ?? { version: 0, document: null, isNarrowed: false, rollouts: {} };
  }

  /** @returns the newest version with all its fields. */
  async newest(organizationId: string): Promise<PolicyVersionRecord | null> {
    return findNewest(this.database.prisma, organizationId);
  }

  async findPolicyVersion(organizationId: string, id: string): Promise<PolicyVersionRecord | null> {
    const row = await this.database.prisma.policyVersion.findFirst({ where: { organizationId, id } });
    return row && toRecord(row);
  }

  /** Sorted by version and not by id, because ids come from clocks that may disagree. */
  async listPolicyVersions(organizationId: string, page: Page): Promise<Slice<PolicyVersionRecord>> {
    const rows = await this.database.prisma.policyVersion.findMany({
      where: { organizationId, ...(await this.olderThan(organizationId, page)) },
      orderBy: { version: 'desc' },
      take: page.limit + 1,
    });
    return sliceOf(rows, page, toRecord);
  }

  /**
   * Locks the organization against other new versions until the transaction ends, so that numbers have neither gaps nor
   * duplicates.
   * @returns the newest version.
   */
  async lockNewest(tx: Transaction, organizationId: string): Promise<PolicyVersionRecord | null> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    return findNewest(prisma, organizationId);
  }

  /** Its version must be the next after {@link lockNewest}. */
  async appendPolicyVersion(
    tx: Transaction,
    { document, ...version }: NewPolicyVersion,
  ): Promise<PolicyVersionRecord> {
    const data = { ...version, document: document as Prisma.InputJsonValue };
    return toRecord(await prismaOf(tx).policyVersion.create({ data }));
  }

  private async olderThan(organizationId: string, { before: id }: Page) {
    if (id === null) return {};
    return { version: { lt: (await this.findPolicyVersion(organizationId, id))?.version ?? 0 } };
  }
}

async function findNewest(
  prisma: Prisma.TransactionClient,
  organizationId: string,
): Promise<PolicyVersionRecord | null> {
  const row = await prisma.policyVersion.findFirst({
    where: { organizationId },
    orderBy: { version: 'desc' },
  });
  return row && toRecord(row);
}

type Row = Prisma.PolicyVersionGetPayload<object>;

const toRecord = (row: Row): PolicyVersionRecord => ({ ...row, document: row.document as JsonValue });
