import {
  type Database,
  lockOrganization,
  olderThan,
  pageArguments,
  prismaOf,
  sliceOf,
  type Transaction,
} from '@svc/database';
import { type Prisma, type ApprovalPolicy as Row } from '@svc/database/rows';
import { isRole, rolePermissions, roles } from '@svc/access';
import { type Page, type Slice } from '@svc/kernel';
import { type ApprovalPolicy } from '../rules/gating-policies';
import { type Approver } from '../rules/judge-decision';

export interface ApprovalPolicyRecord extends ApprovalPolicy {
  readonly organizationId: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type ApprovalPolicySettings = Omit<ApprovalPolicy, 'id' | 'version'>;

/** Which changes of an organization wait for whom. Requests keep copies, so a policy can be deleted. */
export class ApprovalPolicyStore {
  constructor(private readonly database: Database) {}

  async listApprovalPolicies(organizationId: string, page: Page): Promise<Slice<ApprovalPolicyRecord>> {
    const rows = await this.database.prisma.approvalPolicy.findMany({
      where: { organizationId, ...olderThan(page) },
      ...pageArguments(page),
    });
    return sliceOf(rows, page, toRecord);
  }

  async findApprovalPolicy(organizationId: string, id: string): Promise<ApprovalPolicyRecord | null> {
    const row = await this.database.prisma.approvalPolicy.findFirst({ where: { id, organizationId } });
    return row === null ? null : toRecord(row);
  }

  /** Locks the organization, then the policy, until the transaction ends. */
  async lockApprovalPolicy(
    tx: Transaction,
    organizationId: string,
    id: string,
  ): Promise<ApprovalPolicyRecord | null> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    await prisma.$queryRaw`
      SELECT FROM approval_policies WHERE id = ${id} AND organization_id = ${organizationId} FOR UPDATE`;
    const row = await prisma.approvalPolicy.findFirst({ where: { id, organizationId } });
    return row === null ? null : toRecord(row);
  }

  /** The number of policies, which stays until the transaction ends. */
  async lockApprovalPolicyCount(tx: Transaction, organizationId: string): Promise<number> {
    const prisma = prismaOf(tx);
    await lockOrganization(prisma, organizationId);
    return prisma.approvalPolicy.count({ where: { organizationId } });
  }

  async createApprovalPolicy(
    tx: Transaction,
    { id, organizationId, ...settings }: ApprovalPolicySettings & { id: string; organizationId: string },
  ): Promise<ApprovalPolicyRecord> {
    const data = { id, organizationId, ...columnsOf(settings) };
    return toRecord(await prismaOf(tx).approvalPolicy.create({ data }));
  }

  /** Makes the next version. The transaction has locked the policy. */
  async changeApprovalPolicy(
    tx: Transaction,
    id: string,
    settings: ApprovalPolicySettings,
  ): Promise<ApprovalPolicyRecord> {
    const data = { ...columnsOf(settings), version: { increment: 1 } };
    return toRecord(await prismaOf(tx).approvalPolicy.update({ where: { id }, data }));
  }

  async deleteApprovalPolicy(tx: Transaction, id: string): Promise<void> {
    await prismaOf(tx).approvalPolicy.delete({ where: { id } });
  }

  /** Everybody who may decide at this moment. */
  async approvers(organizationId: string, tx?: Transaction): Promise<readonly Approver[]> {
    return approversOf(tx === undefined ? this.database.prisma : prismaOf(tx), organizationId);
  }
}

const decidingRoles = roles.filter((role) => rolePermissions[role].has('approval:decide'));

/** The active members whose role may decide, with their roles at this moment. */
export async function approversOf(
  prisma: Pick<Prisma.TransactionClient, 'member'>,
  organizationId: string,
): Promise<readonly Approver[]> {
  const members = await prisma.member.findMany({
    where: { organizationId, state: 'active', role: { in: [...decidingRoles] } },
    select: { userId: true, role: true },
  });
  return members.filter(({ role }) => isRole(role));
}

/** The policies of an organization, in the transaction of a change that they may gate. */
export async function policiesOf(
  tx: Transaction,
  organizationId: string,
): Promise<readonly ApprovalPolicy[]> {
  const rows = await prismaOf(tx).$queryRaw<RawPolicy[]>`
    SELECT id, name, version, enabled, actions, amount_above_nanos AS "amountAboveNanos",
      approver_roles AS "approverRoles", approver_user_ids AS "approverUserIds",
      required_approvals AS "requiredApprovals", expires_after_seconds AS "expiresAfterSeconds"
    FROM approval_policies WHERE organization_id = ${organizationId} ORDER BY id`;
  return rows.map(toPolicy);
}

type RawPolicy = Omit<Row, 'organizationId' | 'createdAt' | 'updatedAt'>;

const toPolicy = ({
  approverRoles,
  approverUserIds,
  amountAboveNanos,
  ...row
}: RawPolicy): ApprovalPolicy => ({
  ...row,
  amountAboveNanos: amountAboveNanos === null ? null : Number(amountAboveNanos),
  approvers: { roles: approverRoles, userIds: approverUserIds },
});

const toRecord = (row: Row): ApprovalPolicyRecord => ({
  ...toPolicy(row),
  organizationId: row.organizationId,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

const columnsOf = ({ approvers, amountAboveNanos, actions, ...settings }: ApprovalPolicySettings) => ({
  ...settings,
  actions: [...actions],
  amountAboveNanos: amountAboveNanos === null ? null : BigInt(amountAboveNanos),
  approverRoles: [...approvers.roles],
  approverUserIds: [...approvers.userIds],
});
