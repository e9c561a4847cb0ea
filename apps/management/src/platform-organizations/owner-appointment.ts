import { Injectable } from '@nestjs/common';
import { hash } from '@node-rs/argon2';
import {
  initialFields,
  InvitationStore,
  MemberStore,
  UserStore,
  type ChangeAuthor,
  type MemberRecord,
  type Mutation,
} from '@svc/persistence';
import { InvitationIssuer, type IssuedInvitation } from '../invitations/invitation-issuer';

/** The person who becomes an owner. */
export interface Appointee {
  /** Lower case. */
  readonly email: string;
  /** argon2id, PHC string, for a user who has no password yet; null where none was given. */
  readonly passwordHash: string | null;
}

export interface AppointedOwner {
  readonly member: MemberRecord;
  /** The invitation of an owner without a password; null for an owner who can log in. */
  readonly issued: IssuedInvitation | null;
}

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

  /** The transaction has locked or created the organization. */
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
    if (passwordHash !== null) await this.users.setFirstPassword(tx, email, passwordHash);
    const { member, hasPassword } = await this.members.makeOwner(tx, organizationId, email);
    await audit('member.appoint', member.id, initialFields({ user_id: member.userId, role: 'owner' }));
    if (hasPassword) return { member, issued: null };
    return { member, issued: await this.issuer.issue(mutation, author, { email, role: 'owner' }, older) };
  }
}
