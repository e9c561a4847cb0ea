import { type Database, olderThan, pageArguments, prismaOf, sliceOf, type Transaction } from '@svc/database';
import { type Prisma } from '@svc/database/rows';
import { type Page, type Slice } from '@svc/kernel';
import { type Role } from '../../rules/permissions/permissions';

type InvitationState = 'pending' | 'accepted' | 'revoked' | 'expired';

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

/** SHA-256 of the secrets of its two links, and when they expire. */
interface InvitationLinks {
  /** Of the link that is shown to the inviter. */
  readonly secretSha256: Buffer;
  /** Of the link that is mailed, where mail is sent. */
  readonly mailedSecretSha256: Buffer;
  readonly expiresAt: Date;
}

export interface NewInvitation extends InvitationLinks {
  readonly id: string;
  readonly organizationId: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string | null;
}

export class InvitationStore {
  constructor(private readonly database: Database) {}

  async findInvitation(
    organizationId: string,
    invitationId: string,
    now: Date,
  ): Promise<SentInvitation | null> {
    const where = { organizationId, id: invitationId };
    const row = await this.database.prisma.invitation.findFirst({ where });
    return row && recordAt(now)(row);
  }

  async listInvitations(
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

  /**
   * The transaction must have locked the organization and revoked the older one, so that an address has at most one
   * pending.
   */
  async createInvitation(tx: Transaction, invitation: NewInvitation, now: Date): Promise<SentInvitation> {
    const data = { ...invitation, ...linkColumns(invitation) };
    return recordAt(now)(await prismaOf(tx).invitation.create({ data }));
  }

  /** Counts the open invitations but those to one address. The transaction must have locked the organization. */
  countOpen(tx: Transaction, organizationId: string, butTo: string, now: Date): Promise<number> {
    const where = { organizationId, email: { not: butTo }, ...rowsOf('pending', now) };
    return prismaOf(tx).invitation.count({ where });
  }

  /** Replaces the links. The transaction must have locked the invitation and found it open or expired. */
  async renewInvitation(
    tx: Transaction,
    invitationId: string,
    links: InvitationLinks,
    now: Date,
  ): Promise<SentInvitation> {
    const data = linkColumns(links);
    return recordAt(now)(await prismaOf(tx).invitation.update({ where: { id: invitationId }, data }));
  }

  /** Locks the invitation until the transaction ends. A concurrent acceptance waits, and then sees the change. */
  async lockInvitation(
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

  /** As {@link lockInvitation}, for the address's invitation that was neither accepted nor revoked. */
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

  /**
   * Revokes a member's open invitations. Locks them in the order of their ids, as their acceptance does.
   * @returns their ids.
   */
  async revokeSentBy(tx: Transaction, organizationId: string, userId: string): Promise<readonly string[]> {
    const rows = await prismaOf(tx).$queryRaw<{ id: string }[]>`
      WITH sent AS MATERIALIZED (
        SELECT id FROM invitations
        WHERE organization_id = ${organizationId} AND invited_by = ${userId} AND state = 'pending'
        ORDER BY id FOR UPDATE
      )
      UPDATE invitations i SET state = 'revoked' FROM sent WHERE i.id = sent.id RETURNING i.id`;
    return rows.map(({ id }) => id);
  }

  /**
   * Revokes the open invitations into these roles, but for the operator's. Locks them in the order of their ids, as their
   * acceptance does. The transaction must have locked the organization, so that none is made meanwhile.
   * @returns their ids.
   */
  async revokeInto(
    tx: Transaction,
    organizationId: string,
    roles: readonly string[],
  ): Promise<readonly string[]> {
    if (roles.length === 0) return [];
    const rows = await prismaOf(tx).$queryRaw<{ id: string }[]>`
      WITH open AS MATERIALIZED (
        SELECT id FROM invitations
        WHERE organization_id = ${organizationId} AND role = ANY (${[...roles]}) AND state = 'pending'
          AND invited_by IS NOT NULL
        ORDER BY id FOR UPDATE
      )
      UPDATE invitations i SET state = 'revoked' FROM open WHERE i.id = open.id RETURNING i.id`;
    return rows.map(({ id }) => id);
  }

  /** The transaction must have locked the invitation and found it open. */
  async revokeInvitation(tx: Transaction, invitationId: string): Promise<void> {
    await prismaOf(tx).invitation.update({ where: { id: invitationId }, data: { state: 'revoked' } });
  }
}

const linkColumns = ({ secretSha256, mailedSecretSha256, expiresAt }: InvitationLinks) => ({
  secretSha256: Uint8Array.from(secretSha256),
  mailedSecretSha256: Uint8Array.from(mailedSecretSha256),
  expiresAt,
});

type Row = Prisma.InvitationGetPayload<object>;

/** Expiry is computed here, because nothing is written when an invitation expires. */
const recordAt =
  (now: Date) =>
  ({ secretSha256: _, mailedSecretSha256: __, role, state, ...row }: Row): SentInvitation => ({
    ...row,
    role: role as Role,
    state: state === 'pending' && row.expiresAt <= now ? 'expired' : (state as InvitationState),
  });

function rowsOf(state: InvitationState, now: Date): Prisma.InvitationWhereInput {
  if (state === 'pending') return { state, expiresAt: { gt: now } };
  return state === 'expired' ? { state: 'pending', expiresAt: { lte: now } } : { state };
}
