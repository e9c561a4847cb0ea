import {
  among,
  type Database,
  olderThan,
  pageArguments,
  prismaOf,
  sliceOf,
  type Transaction,
} from '@svc/database';
import { type Prisma } from '@svc/database/rows';
import { type NewId, type Page, type Slice } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { type Role } from '../../rules/permissions/permissions';

type MemberState = 'active' | 'removed';

export interface MemberRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  /** Lower case. */
  readonly email: string;
  /** True where the user has used a link that was sent only to the address. */
  readonly emailVerified: boolean;
  /** When the user last used a session, in any organization, to within five minutes; null for a removed member. */
  readonly lastSeenAt: Date | null;
  /** A removed member keeps the last role. */
  readonly role: Role;
  readonly state: MemberState;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface MemberFilter {
  readonly ids?: readonly string[] | undefined;
  readonly role?: Role | undefined;
  readonly state?: MemberState | undefined;
}

const WITH_USER = { user: { select: { email: true, emailVerifiedAt: true, lastSeenAt: true } } } as const;

/** How many members of an organization are active. */
export interface Headcount {
  readonly members: number;
  /** Those of `members` who own it. */
  readonly owners: number;
}

export class MemberStore {
  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
  ) {}

  async findMember(organizationId: string, memberId: string): Promise<MemberRecord | null> {
    const where = { organizationId, id: memberId };
    const row = await this.database.prisma.member.findFirst({ where, include: WITH_USER });
    return row && toRecord(row);
  }

  async listMembers(organizationId: string, page: Page, filter: MemberFilter): Promise<Slice<MemberRecord>> {
    const { ids, role, state } = filter;
    const rows = await this.database.prisma.member.findMany({
      ...pageArguments(page),
      where: {
        AND: [{ organizationId, ...olderThan(page) }, among(ids)],
        ...(role === undefined ? {} : { role }),
        ...(state === undefined ? {} : { state }),
      },
      include: WITH_USER,
    });
    return sliceOf(rows, page, toRecord);
  }

  async headcount(organizationId: string): Promise<Headcount> {
    const [counts] = await this.database.prisma.$queryRaw<Headcount[]>`
      SELECT count(*)::int AS members, (count(*) FILTER (WHERE role = 'owner'))::int AS owners
      FROM members WHERE organization_id = ${organizationId} AND state = 'active'`;
    return counts ?? { members: 0, owners: 0 };
  }

  /** Locks the member until the transaction ends, so that the audit entry states the right old values. */
  async lockMember(tx: Transaction, organizationId: string, memberId: string): Promise<MemberRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`
      SELECT FROM members WHERE organization_id = ${organizationId} AND id = ${memberId} FOR NO KEY UPDATE`;
    const row = await prisma.member.findFirst({
      where: { organizationId, id: memberId },
      include: WITH_USER,
    });
    return row && toRecord(row);
  }

  /** The number of active owners. It stays true until the transaction ends if that has locked the organization. */
  countOwners(tx: Transaction, organizationId: string): Promise<number> {
    return prismaOf(tx).member.count({ where: { organizationId, role: 'owner', state: 'active' } });
  }

  async isActive(tx: Transaction, organizationId: string, email: string): Promise<boolean> {
    const where = { organizationId, state: 'active', user: { email } };
    return (await prismaOf(tx).member.count({ where })) > 0;
  }

  /** @returns those of the users who are active members. */
  async listActive(
    tx: Transaction,
    organizationId: string,
    userIds: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const where = { organizationId, state: 'active', userId: { in: [...userIds] } };
    const members = await prismaOf(tx).member.findMany({ where, select: { userId: true } });
    return new Set(members.map(({ userId }) => userId));
  }

  async changeRole(tx: Transaction, memberId: string, role: Role): Promise<MemberRecord> {
    return this.update(tx, memberId, { role });
  }

  async removeMember(tx: Transaction, memberId: string, removedAt: Date): Promise<MemberRecord> {
    return this.update(tx, memberId, { state: 'removed', removedAt });
  }

  /**
   * Makes a user an owner, whatever their role was. The transaction must have locked the organization, or created it.
   */
  async makeOwner(tx: Transaction, organizationId: string, userId: string): Promise<MemberRecord> {
    const row = await prismaOf(tx).member.upsert({
      where: { organizationId_userId: { organizationId, userId } },
      create: { id: this.newId('member'), organizationId, userId, role: 'owner' },
      update: { role: 'owner', state: 'active', removedAt: null },
      include: WITH_USER,
    });
    return toRecord(row);
  }

  private async update(
    tx: Transaction,
    memberId: string,
    data: Prisma.MemberUpdateInput,
  ): Promise<MemberRecord> {
    const where = { id: memberId };
    return toRecord(await prismaOf(tx).member.update({ where, data, include: WITH_USER }));
  }
}

type Row = Prisma.MemberGetPayload<{ include: typeof WITH_USER }>;

const toRecord = ({ user, role, state, removedAt: _, ...row }: Row): MemberRecord => ({
  ...row,
  email: user.email,
  emailVerified: user.emailVerifiedAt !== null,
  lastSeenAt: state === 'active' ? user.lastSeenAt : null,
  role: role as Role,
  state: state as MemberState,
});
