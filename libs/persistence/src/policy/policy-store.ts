import { type JsonValue } from '@svc/kernel';
import { type Page, type Slice } from '@svc/platform/api';
import { type Database } from '../database/database';
import { sliceOf } from '../database/page';
import { prismaOf, type Transaction } from '../database/unit-of-work';
import { type Prisma } from '../generated/prisma/client';

/** What calls are judged by. */
export interface CurrentPolicy {
  readonly version: number;
  /** As it was written (contract.md section 7). */
  readonly document: JsonValue;
}

/** One version of an organization's policy. */
export interface PolicyVersionRecord extends CurrentPolicy {
  readonly id: string;
  readonly organizationId: string;
  /** The user who wrote it; null where no user called. */
  readonly createdBy: string | null;
  readonly createdAt: Date;
}

export type NewPolicyVersion = Omit<PolicyVersionRecord, 'createdAt'>;

export class PolicyStore {
  constructor(private readonly database: Database) {}

  /** @returns what calls are judged by; null for an organization that has never written one. */
  async current(organizationId: string): Promise<CurrentPolicy | null> {
    const { rows } = await this.database.pool.query<CurrentPolicy>({
      name: 'current_policy',
      text: `SELECT version, document FROM policy_versions
             WHERE organization_id = $1 ORDER BY version DESC LIMIT 1`,
      values: [organizationId],
    });
    return rows[0] ?? null;
  }

  /** @returns the newest version, whole. */
  async newest(organizationId: string): Promise<PolicyVersionRecord | null> {
    return findNewest(this.database.prisma, organizationId);
  }

  async find(organizationId: string, id: string): Promise<PolicyVersionRecord | null> {
    const row = await this.database.prisma.policyVersion.findFirst({ where: { organizationId, id } });
    return row && toRecord(row);
  }

  /** By version and not by id: the clocks that ids come from may disagree on what was first. */
  async list(organizationId: string, page: Page): Promise<Slice<PolicyVersionRecord>> {
    const rows = await this.database.prisma.policyVersion.findMany({
      where: { organizationId, ...(await this.olderThan(organizationId, page)) },
      orderBy: { version: 'desc' },
      take: page.limit + 1,
    });
    return sliceOf(rows, page, toRecord);
  }

  /**
   * Locks the organization against another next version until the transaction ends, so that numbers have neither gaps
   * nor duplicates. Weaker than `FOR UPDATE`: what merely refers to the organization goes on being written.
   * @returns the newest version.
   */
  async lockNewest(tx: Transaction, organizationId: string): Promise<PolicyVersionRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`SELECT FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`;
    return findNewest(prisma, organizationId);
  }

  /** Its version must be the next after {@link lockNewest}. */
  async append(tx: Transaction, { document, ...version }: NewPolicyVersion): Promise<PolicyVersionRecord> {
    const data = { ...version, document: document as Prisma.InputJsonValue };
    return toRecord(await prismaOf(tx).policyVersion.create({ data }));
  }

  private async olderThan(organizationId: string, { before: id }: Page) {
    if (id === null) return {};
    return { version: { lt: (await this.find(organizationId, id))?.version ?? 0 } };
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
