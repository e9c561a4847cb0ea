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

/** Who is to be an owner. */
export interface Appointee {
  /** Lower case. */
  readonly email: string;
  /** argon2id, PHC string, for a user who has no password yet; null where none was given. */
  readonly passwordHash: string | null;
}

export interface AppointedOwner {
  readonly member: MemberRecord;
  /** How an owner without a password comes to one; null for who can log in. */
  readonly issued: IssuedInvitation | null;
}

export const appointee = async (email: string, password: string | undefined): Promise<Appointee> => ({
  email,
  passwordHash: password === undefined ? null : await hash(password),
});

/** Makes owners: of a new organization, and of one that has none who could act. */
@Injectable()
export class OwnerAppointment {
  constructor(
    private readonly members: MemberStore,
    private readonly users: UserStore,
    private readonly invitations: InvitationStore,
    private readonly issuer: InvitationIssuer,
  ) {}

  /** The transaction has locked the organization, or made it. */
  async appoint(
    mutation: Mutation,
    author: ChangeAuthor,
    { email, passwordHash }: Appointee,
  ): Promise<AppointedOwner> {
    const { tx, at, audit } = mutation;
    const { organizationId } = author;
    // Before user and member, as by whoever accepts it: neither waits for the other in vain.
    const older = await this.invitations.lockOpen(tx, organizationId, email, at);
    if (passwordHash !== null) await this.users.setFirstPassword(tx, email, passwordHash);
    const { member, hasPassword } = await this.members.makeOwner(tx, organizationId, email);
    await audit('member.appoint', member.id, initialFields({ user_id: member.userId, role: 'owner' }));
    if (hasPassword) return { member, issued: null };
    return { member, issued: await this.issuer.issue(mutation, author, { email, role: 'owner' }, older) };
  }
}
