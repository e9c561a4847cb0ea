import { randomBytes } from 'node:crypto';
import { formatSecret, lifetimesMs, SECRET_ENTROPY_BYTES, secretHash, type Role } from '@svc/identity';
import {
  initialFields,
  type InvitationStore,
  type ChangeAuthor,
  type Mutation,
  type SentInvitation,
} from '@svc/persistence';

/** Somebody to be invited. */
export interface Invitee {
  /** Lower case. */
  readonly email: string;
  readonly role: Role;
}

/** An invitation with the link that accepts it, of which nothing but a hash is kept. */
export interface IssuedInvitation {
  readonly invitation: SentInvitation;
  readonly acceptUrl: string;
}

/** Makes invitations, as part of a larger change. */
export class InvitationIssuer {
  constructor(
    private readonly store: InvitationStore,
    private readonly baseUrl: string,
  ) {}

  /**
   * The transaction has locked the organization, so that of two who invite an address at the same time, the second finds
   * the first one's invitation.
   * @param older the address's open invitation, locked: a link that was sent earlier is worth nothing any more.
   */
  async issue(
    { tx, newId, at, audit }: Mutation,
    { organizationId, actor }: ChangeAuthor,
    { email, role }: Invitee,
    older: SentInvitation | null,
  ): Promise<IssuedInvitation> {
    if (older !== null) {
      await this.store.revoke(tx, older.id);
      await audit('invitation.revoke', older.id);
    }
    const secret = formatSecret('invitation', randomBytes(SECRET_ENTROPY_BYTES));
    const invitation = await this.store.create(
      tx,
      {
        id: newId('invitation'),
        organizationId,
        email,
        role,
        secretSha256: secretHash(secret),
        invitedBy: actor.id,
        expiresAt: new Date(at.getTime() + lifetimesMs.invitation),
      },
      at,
    );
    await audit('invitation.create', invitation.id, initialFields({ email, role }));
    return { invitation, acceptUrl: `${this.baseUrl}/auth/invitations/${secret}` };
  }
}
