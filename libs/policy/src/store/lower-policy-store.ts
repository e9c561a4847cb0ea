import { type Database, prismaOf, sliceOf, type Transaction } from '@svc/database';
import { type Prisma } from '@svc/database/rows';
import { type JsonValue, type Page, type Slice } from '@svc/kernel';
import { type LowerPolicyLevel } from '../rules/policy/policy-level';
import { type CurrentPolicy } from './policy-store';

/** Whose policy: a project's or a key's. */
export interface PolicyOwner {
  readonly organizationId: string;
  readonly level: LowerPolicyLevel;
  /** Id of the project or the key. */
  readonly ownerId: string;
}

/** One version of the policy of a project or a key. */
export interface LowerPolicyRecord extends PolicyOwner, CurrentPolicy {
  readonly id: string;
  /** The user who wrote it; null where the caller was not a user. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
}

/** The policies of projects and keys, which narrow that of their organization. */
export class LowerPolicyStore {
  constructor(private readonly database: Database) {}

  /** @returns the policy that calls are checked against; null for an owner without one. */
  async current({ organizationId, level, ownerId }: PolicyOwner): Promise<CurrentPolicy | null> {
    const { rows } = await this.database.pool.query<CurrentPolicy>({
      name: 'current_lower_policy',
      text: `SELECT version, document FROM lower_policy_versions
             WHERE organization_id = $1 AND level = $2 AND owner_id = $3 ORDER BY version DESC LIMIT 1`,
      values: [organizationId, level, ownerId],
    });
    return rows[0] ?? null;
  }

  newest(owner: PolicyOwner): Promise<LowerPolicyRecord | null> {
    return findNewest(this.database.prisma, owner);
  }

  /** In the transaction of a change. Its caller has locked the project or the key, so that versions have no gaps. */
  newestIn(tx: Transaction, owner: PolicyOwner): Promise<LowerPolicyRecord | null> {
    return findNewest(prismaOf(tx), owner);
  }

  async findLowerPolicyVersion(owner: PolicyOwner, id: string): Promise<LowerPolicyRecord | null> {
    const row = await this.database.prisma.lowerPolicyVersion.findFirst({ where: { ...whereOf(owner), id } });
    return row && toRecord(row);
  }

  /** Sorted by version and not by id, because ids come from clocks that may disagree. */
  async listLowerPolicyVersions(owner: PolicyOwner, page: Page): Promise<Slice<LowerPolicyRecord>> {
    const before =
      page.before === null ? null : ((await this.findLowerPolicyVersion(owner, page.before))?.version ?? 0);
    const rows = await this.database.prisma.lowerPolicyVersion.findMany({
      where: { ...whereOf(owner), ...(before !== null && { version: { lt: before } }) },
      orderBy: { version: 'desc' },
      take: page.limit + 1,
    });
    return sliceOf(rows, page, toRecord);
  }

  /** Its version must be the next after {@link newestIn}. */
  async appendLowerPolicyVersion(
    tx: Transaction,
    { document, ...version }: Omit<LowerPolicyRecord, 'createdAt'>,
  ): Promise<LowerPolicyRecord> {
    const data = { ...version, document: document as Prisma.InputJsonValue };
    return toRecord(await prismaOf(tx).lowerPolicyVersion.create({ data }));
  }
}

const whereOf = ({ organizationId, level, ownerId }: PolicyOwner) => ({ organizationId, level, ownerId });

async function findNewest(
  prisma: Prisma.TransactionClient,
  owner: PolicyOwner,
): Promise<LowerPolicyRecord | null> {
  const row = await prisma.lowerPolicyVersion.findFirst({
    where: whereOf(owner),
    orderBy: { version: 'desc' },
  });
  return row && toRecord(row);
}

type Row = Prisma.LowerPolicyVersionGetPayload<object>;

const toRecord = (row: Row): LowerPolicyRecord => ({
  ...row,
  level: row.level as LowerPolicyLevel,
  document: row.document as JsonValue,
});
