import { Injectable } from '@nestjs/common';
import { hash } from '@node-rs/argon2';
import { InvitationStore, type MemberRecord, MemberStore, UserStore } from '@svc/access/store';
import { type ChangeAuthor, type Mutation } from '@svc/approvals/store';
import { initialFields } from '@svc/database';
import { InvitationIssuer, type IssuedInvitation } from '../invitations/invitation-issuer';

/** The person who becomes an owner. */
export interface Appointee {
  /** Lower case. */
  readonly email: string;
  /** argon2id, PHC string, for a user who has no password yet; null where none was given. */
  readonly passwordHash: string | null;
}

/** Somebody who is an owner at once, or will be one with an invitation that they accept. */
export type AppointedOwner =
  | { readonly member: MemberRecord }
  | {
      readonly member: null;
      readonly issued: IssuedInvitation;
      /** True where somebody has an account with the address, and has not shown that it is theirs. */
      readonly isClaimed: boolean;
    };

export const appointee = async (email: string, password: string | undefined): Promise<Appointee> => ({
  email,
  passwordHash: password === undefined ? null : await hash(password),
});

/** Appoints owners, of a new organization or of one without an active owner. */
@Injectable()
export class OwnerAppointment {
  constructor(
    private readonly members: MemberStore,
    private readonly users: UserStore,
    private readonly invitations: InvitationStore,
    private readonly issuer: InvitationIssuer,
  ) {}

  /**
   * Anybody can open an account with an address that is not theirs, by an invitation of an organization of their own. So
   * only who has shown that the address is theirs is an owner at once, or who gets a first password from the operator.
   * The transaction has locked or created the organization.
   */
  async appoint(
    mutation: Mutation,
    author: ChangeAuthor,
    { email, passwordHash }: Appointee,
  ): Promise<AppointedOwner> {
    const { tx, at, audit } = mutation;
    const { organizationId } = author;
    // The invitation is locked before user and member, in the order of its acceptance: otherwise the two could
    // deadlock.
    const older = await this.invitations.lockOpen(tx, organizationId, email, at);
    const created = passwordHash === null ? null : await this.users.setFirstPassword(tx, email, passwordHash);
    const known = created === null ? await this.users.lockByEmail(tx, email) : null;
    const userId = created ?? (known?.isVerified === true ? known.id : null);
    if (userId === null) {
      const issued = await this.issuer.issue(mutation, author, { email, role: 'owner' }, older);
      return { member: null, issued, isClaimed: known !== null };
    }
    if (older !== null) await this.issuer.revoke(mutation, older);
    const member = await this.members.makeOwner(tx, organizationId, userId);
    await audit('member.appoint', member.id, initialFields({ user_id: userId, role: 'owner' }));
    return { member };
  }
}
