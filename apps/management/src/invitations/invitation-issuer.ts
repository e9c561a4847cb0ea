import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { known } from '@svc/api';
import { type ChangeAuthor, type Mutation } from '@svc/approvals/store';
import { formatSecret, lifetimesMs, SECRET_ENTROPY_BYTES, secretHash, type Role } from '@svc/access';
import { InvitationStore, MemberStore, OrganizationStore, type SentInvitation } from '@svc/access/store';
import { GatewayError } from '@svc/kernel';
import { initialFields, type Transaction } from '@svc/database';
import { BASE_URL } from '../runtime';

/** The person to be invited. */
export interface Invitee {
  /** Lower case. */
  readonly email: string;
  readonly role: Role;
}

/** An invitation with the two links that accept it. Only hashes of their secrets are stored. */
export interface IssuedInvitation {
  readonly invitation: SentInvitation;
  /** Shown to the inviting caller. */
  readonly acceptUrl: string;
  /** Mailed only, and shown to nobody: it proves access to the mailbox. */
  readonly mailedUrl: string;
}

/** Makes invitations, as part of a larger change. */
@Injectable()
export class InvitationIssuer {
  constructor(
    private readonly store: InvitationStore,
    private readonly organizations: OrganizationStore,
    private readonly members: MemberStore,
    @Inject(BASE_URL) private readonly baseUrl: string,
  ) {}

  /**
   * Invitations of one organization are made one after another.
   * @returns its name.
   * @throws GatewayError `notFound`.
   */
  async lockOrganization(tx: Transaction, organizationId: string): Promise<string> {
    const organization = known(await this.organizations.lockOrganization(tx, organizationId));
    return organization.name;
  }

  /** @throws GatewayError `conflict`. */
  async requireNoMember(tx: Transaction, organizationId: string, email: string): Promise<void> {
    if (await this.members.isActive(tx, organizationId, email)) {
      throw new GatewayError('conflict', 'A member has this address already.', { param: 'email' });
    }
  }

  /**
   * The transaction has locked the organization, so that the second of two concurrent invitations to an address finds
   * the first.
   * @param older the address's open invitation, locked. It is revoked, which makes its links invalid.
   */
  async issue(
    mutation: Mutation,
    { organizationId, actor }: ChangeAuthor,
    { email, role }: Invitee,
    older: SentInvitation | null,
  ): Promise<IssuedInvitation> {
    const { tx, newId, at, audit } = mutation;
    if (older !== null) await this.revoke(mutation, older);
    const { links, urls } = this.newLinks(at);
    const invitee = { id: newId('invitation'), organizationId, email, role, invitedBy: actor.id };
    const invitation = await this.store.createInvitation(tx, { ...invitee, ...links }, at);
    await audit('invitation.create', invitation.id, initialFields({ email, role }));
    return { invitation, ...urls };
  }

  /** Makes its links invalid. The transaction has locked it, and found it open or expired. */
  async revoke({ tx, audit }: Mutation, { id }: SentInvitation): Promise<void> {
    await this.store.revokeInvitation(tx, id);
    await audit('invitation.revoke', id);
  }

  /**
   * Makes new links, valid as long as a new invitation's. The transaction has locked the invitation, and found it open
   * or expired.
   */
  async renew(
    { tx, at, audit }: Mutation,
    { id: invitationId, email, role }: SentInvitation,
  ): Promise<IssuedInvitation> {
    const { links, urls } = this.newLinks(at);
    const invitation = await this.store.renewInvitation(tx, invitationId, links, at);
    await audit('invitation.resend', invitationId, {}, { email, role });
    return { invitation, ...urls };
  }

  private newLinks(at: Date) {
    const shown = formatSecret('invitation', randomBytes(SECRET_ENTROPY_BYTES));
    const mailed = formatSecret('invitation', randomBytes(SECRET_ENTROPY_BYTES));
    const page = `${this.baseUrl}/auth/invitations`;
    return {
      links: {
        secretSha256: secretHash(shown),
        mailedSecretSha256: secretHash(mailed),
        expiresAt: new Date(at.getTime() + lifetimesMs.invitation),
      },
      urls: { acceptUrl: `${page}/${shown}`, mailedUrl: `${page}/${mailed}` },
    };
  }
}
