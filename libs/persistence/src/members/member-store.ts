import { type Role } from '@svc/identity';
import { type NewId } from '@svc/kernel';
import { systemIds } from '@svc/platform';
import { type Page, type Slice } from '@svc/platform/api';
import { type Database } from '../database/database';
import { olderThan, pageArguments, sliceOf } from '../database/page';
import { prismaOf, type Transaction } from '../database/unit-of-work';
import { type Prisma } from '../generated/prisma/client';

export type MemberState = 'active' | 'removed';

export interface MemberRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly userId: string;
  /** Lower case. */
  readonly email: string;
  /** A removed member's is the last one. */
  readonly role: Role;
  readonly state: MemberState;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface MemberFilter {
  readonly role?: Role | undefined;
  readonly state?: MemberState | undefined;
}

const WITH_USER = { user: { select: { email: true } } } as const;

export class MemberStore {
  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
  ) {}

  async find(organizationId: string, memberId: string): Promise<MemberRecord | null> {
    const where = { organizationId, id: memberId };
    const row = await this.database.prisma.member.findFirst({ where, include: WITH_USER });
    return row && toRecord(row);
  }

  async list(organizationId: string, page: Page, filter: MemberFilter): Promise<Slice<MemberRecord>> {
    const { role, state } = filter;
    const rows = await this.database.prisma.member.findMany({
      ...pageArguments(page),
      where: {
        organizationId,
        ...olderThan(page),
        ...(role === undefined ? {} : { role }),
        ...(state === undefined ? {} : { state }),
      },
      include: WITH_USER,
    });
    return sliceOf(rows, page, toRecord);
  }

  /** Locks the member until the transaction ends, so that what it was is told truly. */
  async lock(tx: Transaction, organizationId: string, memberId: string): Promise<MemberRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`
      SELECT FROM members WHERE organization_id = ${organizationId} AND id = ${memberId} FOR NO KEY UPDATE`;
    const row = await prisma.member.findFirst({
      where: { organizationId, id: memberId },
      include: WITH_USER,
    });
    return row && toRecord(row);
  }

  /** How many can act as owner. True until the transaction ends where it has locked the organization. */
  countOwners(tx: Transaction, organizationId: string): Promise<number> {
    return prismaOf(tx).member.count({ where: { organizationId, role: 'owner', state: 'active' } });
  }

  async isActive(tx: Transaction, organizationId: string, email: string): Promise<boolean> {
    const where = { organizationId, state: 'active', user: { email } };
    return (await prismaOf(tx).member.count({ where })) > 0;
  }

  async changeRole(tx: Transaction, memberId: string, role: Role): Promise<MemberRecord> {
    return this.update(tx, memberId, { role });
  }

  async remove(tx: Transaction, memberId: string, removedAt: Date): Promise<MemberRecord> {
    return this.update(tx, memberId, { state: 'removed', removedAt });
  }

  /**
   * Makes whoever has this address an owner, whatever they were before: a new user where nobody has it. The transaction
   * has locked the organization, or made it.
   * @param email lower case.
   * @returns the member, and whether the user can log in by now.
   */
  async makeOwner(
    tx: Transaction,
    organizationId: string,
    email: string,
  ): Promise<{ readonly member: MemberRecord; readonly hasPassword: boolean }> {
    const prisma = prismaOf(tx);
    // The update that changes nothing makes it return the user who was there, and wait for one who is just being made.
    const users = await prisma.$queryRaw<{ id: string; hasPassword: boolean }[]>`
      INSERT INTO users (id, email) VALUES (${this.newId('user')}, ${email})
      ON CONFLICT (email) DO UPDATE SET email = excluded.email
      RETURNING id, password_hash IS NOT NULL AS "hasPassword"`;
    const [{ id: userId, hasPassword }] = users as [(typeof users)[number]];
    const row = await prisma.member.upsert({
      where: { organizationId_userId: { organizationId, userId } },
      create: { id: this.newId('member'), organizationId, userId, role: 'owner' },
      update: { role: 'owner', state: 'active', removedAt: null },
      include: WITH_USER,
    });
    return { member: toRecord(row), hasPassword };
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
  role: role as Role,
  state: state as MemberState,
});
