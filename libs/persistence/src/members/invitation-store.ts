import { type Role } from '@svc/identity';
import { type Page, type Slice } from '@svc/platform/api';
import { type Database } from '../database/database';
import { olderThan, pageArguments, sliceOf } from '../database/page';
import { prismaOf, type Transaction } from '../database/unit-of-work';
import { type Prisma } from '../generated/prisma/client';

export type InvitationState = 'pending' | 'accepted' | 'revoked' | 'expired';

export interface InvitationFilter {
  readonly state?: InvitationState | undefined;
}

/** An invitation as the organization that sent it sees it. Never its secret. */
export interface SentInvitation {
  readonly id: string;
  readonly organizationId: string;
  /** Lower case. */
  readonly email: string;
  readonly role: Role;
  readonly state: InvitationState;
  /** A user's or an API key's id; null for the operator. */
  readonly invitedBy: string | null;
  readonly expiresAt: Date;
  readonly acceptedAt: Date | null;
  readonly createdAt: Date;
}

export interface NewInvitation {
  readonly id: string;
  readonly organizationId: string;
  readonly email: string;
  readonly role: Role;
  /** SHA-256 of its secret. */
  readonly secretSha256: Buffer;
  readonly invitedBy: string | null;
  readonly expiresAt: Date;
}

export class InvitationStore {
  constructor(private readonly database: Database) {}

  async find(organizationId: string, invitationId: string, now: Date): Promise<SentInvitation | null> {
    const where = { organizationId, id: invitationId };
    const row = await this.database.prisma.invitation.findFirst({ where });
    return row && recordAt(now)(row);
  }

  async list(
    organizationId: string,
    page: Page,
    { state }: InvitationFilter,
    now: Date,
  ): Promise<Slice<SentInvitation>> {
    const rows = await this.database.prisma.invitation.findMany({
      ...pageArguments(page),
      where: {
        organizationId,
        ...olderThan(page),
        ...(state === undefined ? {} : rowsOf(state, now)),
      },
    });
    return sliceOf(rows, page, recordAt(now));
  }

  /** An address has one that is pending at most: the transaction has locked the organization, and revoked the older. */
  async create(tx: Transaction, invitation: NewInvitation, now: Date): Promise<SentInvitation> {
    const secretSha256 = Uint8Array.from(invitation.secretSha256);
    const row = await prismaOf(tx).invitation.create({ data: { ...invitation, secretSha256 } });
    return recordAt(now)(row);
  }

  /** Locks the invitation until the transaction ends: whoever accepts it meanwhile waits, and then finds it changed. */
  async lock(
    tx: Transaction,
    organizationId: string,
    invitationId: string,
    now: Date,
  ): Promise<SentInvitation | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`
      SELECT FROM invitations WHERE organization_id = ${organizationId} AND id = ${invitationId} FOR UPDATE`;
    const row = await prisma.invitation.findFirst({ where: { organizationId, id: invitationId } });
    return row && recordAt(now)(row);
  }

  /** The same for the one of an address that was neither accepted nor revoked. */
  async lockOpen(
    tx: Transaction,
    organizationId: string,
    email: string,
    now: Date,
  ): Promise<SentInvitation | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`
      SELECT FROM invitations
      WHERE organization_id = ${organizationId} AND email = ${email} AND state = 'pending' FOR UPDATE`;
    const row = await prisma.invitation.findFirst({ where: { organizationId, email, state: 'pending' } });
    return row && recordAt(now)(row);
  }

  /** Of an invitation that the transaction has locked, and found open. */
  async revoke(tx: Transaction, invitationId: string): Promise<void> {
    await prismaOf(tx).invitation.update({ where: { id: invitationId }, data: { state: 'revoked' } });
  }
}

type Row = Prisma.InvitationGetPayload<object>;

/** Nothing is written when an invitation runs out. */
const recordAt =
  (now: Date) =>
  ({ secretSha256: _, role, state, ...row }: Row): SentInvitation => ({
    ...row,
    role: role as Role,
    state: state === 'pending' && row.expiresAt <= now ? 'expired' : (state as InvitationState),
  });

function rowsOf(state: InvitationState, now: Date): Prisma.InvitationWhereInput {
  if (state === 'pending') return { state, expiresAt: { gt: now } };
  return state === 'expired' ? { state: 'pending', expiresAt: { lte: now } } : { state };
}
