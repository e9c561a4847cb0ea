import { Inject, Injectable } from '@nestjs/common';
import { known, requireRoom, type Caller } from '@svc/api';
import { type Mutation, Mutations } from '@svc/approvals/store';
import { type Clock, GatewayError, type Page, type Slice } from '@svc/kernel';
import { InvitationStore, type InvitationFilter, type SentInvitation } from '@svc/access/store';
import { requireMayChange, requireMayGive } from '../members/role-bound';
import { CLOCK } from '../runtime';
import { InvitationIssuer, type Invitee, type IssuedInvitation } from './invitation-issuer';
import { InvitationMail } from './invitation-mail';

export const OPEN_INVITATIONS_MAX = 1_000;

interface SentByMail extends IssuedInvitation {
  readonly mailed: boolean;
}

/** Invitations to an organization, until they are accepted. */
@Injectable()
export class Invitations {
  constructor(
    private readonly store: InvitationStore,
    private readonly issuer: InvitationIssuer,
    private readonly mail: InvitationMail,
    private readonly mutations: Mutations,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  list({ organizationId }: Caller, page: Page, filter: InvitationFilter): Promise<Slice<SentInvitation>> {
    return this.store.listInvitations(organizationId, page, filter, new Date(this.clock.now()));
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId }: Caller, invitationId: string): Promise<SentInvitation> {
    return known(await this.store.findInvitation(organizationId, invitationId, new Date(this.clock.now())));
  }

  /**
   * Replaces an open invitation to the same address.
   * @throws GatewayError `permissionDenied` where the role, or that of the open invitation, exceeds the caller's;
   * `conflict` where the address is already a member's, and above the most open invitations.
   */
  async create(caller: Caller, invitee: Invitee): Promise<SentByMail> {
    requireMayGive(caller, invitee.role);
    const { organizationId } = caller;
    const { issued, organizationName } = await this.mutations.run(caller, async (mutation) => {
      const { tx, at } = mutation;
      const organizationName = await this.issuer.lockOrganization(tx, organizationId);
      // The invitation is locked before members are read: an invitee who has just accepted is then found as a member.
      const older = await this.store.lockOpen(tx, organizationId, invitee.email, at);
      await this.issuer.requireNoMember(tx, organizationId, invitee.email);
      if (older?.state === 'pending') requireMayChange(caller, older.role);
      await this.requireRoom(mutation, { organizationId, email: invitee.email });
      const issued = await this.issuer.issue(mutation, caller, invitee, older);
      return { issued, organizationName };
    });
    const mailed = await this.mutations.afterCommit(caller, () => this.mail.send(issued, organizationName));
    return { ...issued, mailed: mailed ?? false };
  }

  /**
   * New links replace the earlier ones, also those of an expired invitation.
   * @throws GatewayError `notFound`; `permissionDenied` where its role exceeds the caller's; `conflict` once it is
   * accepted or revoked, or the address is a member's by another invitation.
   */
  async resend(caller: Caller, invitationId: string): Promise<SentByMail> {
    const { organizationId } = caller;
    const { issued, organizationName } = await this.mutations.run(caller, async (mutation) => {
      const { tx, at } = mutation;
      const organizationName = await this.issuer.lockOrganization(tx, organizationId);
      const invitation = known(await this.store.lockInvitation(tx, organizationId, invitationId, at));
      if (invitation.state === 'accepted' || invitation.state === 'revoked') {
        throw new GatewayError('conflict', `The invitation is ${invitation.state}. Make a new one.`);
      }
      await this.issuer.requireNoMember(tx, organizationId, invitation.email);
      requireMayGive(caller, invitation.role);
      await this.requireRoom(mutation, invitation);
      const issued = await this.issuer.renew(mutation, invitation);
      return { issued, organizationName };
    });
    const mailed = await this.mutations.afterCommit(caller, () => this.mail.send(issued, organizationName));
    return { ...issued, mailed: mailed ?? false };
  }

  /** The transaction has locked the organization. An open invitation to the same address is replaced. */
  private async requireRoom(
    { tx, at }: Mutation,
    { organizationId, email }: Pick<SentInvitation, 'organizationId' | 'email'>,
  ): Promise<void> {
    const others = await this.store.countOpen(tx, organizationId, email, at);
    requireRoom(others, OPEN_INVITATIONS_MAX, 'open invitations', 'revoke one first');
  }

  /**
   * Nothing happens to an invitation that is already revoked or expired.
   * @throws GatewayError `notFound`; `permissionDenied` where its role exceeds the caller's; `conflict` once it is
   * accepted.
   */
  revoke(caller: Caller, invitationId: string): Promise<void> {
    return this.mutations.run(caller, async ({ tx, at, audit }) => {
      const invitation = known(await this.store.lockInvitation(tx, caller.organizationId, invitationId, at));
      if (invitation.state === 'accepted') {
        throw new GatewayError('conflict', 'The invitation has been accepted. Remove the member instead.');
      }
      if (invitation.state !== 'pending') return;
      requireMayChange(caller, invitation.role);
      await this.store.revokeInvitation(tx, invitationId);
      await audit('invitation.revoke', invitationId);
    });
  }
}
