import { Injectable } from '@nestjs/common';
import { type Clock, GatewayError } from '@svc/kernel';
import {
  InvitationStore,
  MemberStore,
  Mutations,
  OrganizationStore,
  type InvitationFilter,
  type SentInvitation,
} from '@svc/persistence';
import { unknownResource, type Caller, type Page, type Slice } from '@svc/platform/api';
import { InjectClock } from '../clock';
import { requireMayChange, requireMayGive } from '../members/role-bound';
import { InvitationIssuer, type Invitee, type IssuedInvitation } from './invitation-issuer';
import { InvitationMail } from './invitation-mail';

export interface SentByMail extends IssuedInvitation {
  readonly mailed: boolean;
}

/** Invitations to an organization, until they are accepted. */
@Injectable()
export class Invitations {
  constructor(
    private readonly store: InvitationStore,
    private readonly members: MemberStore,
    private readonly organizations: OrganizationStore,
    private readonly issuer: InvitationIssuer,
    private readonly mail: InvitationMail,
    private readonly mutations: Mutations,
    @InjectClock() private readonly clock: Clock,
  ) {}

  list({ organizationId }: Caller, page: Page, filter: InvitationFilter): Promise<Slice<SentInvitation>> {
    return this.store.list(organizationId, page, filter, new Date(this.clock.now()));
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId }: Caller, invitationId: string): Promise<SentInvitation> {
    const found = await this.store.find(organizationId, invitationId, new Date(this.clock.now()));
    if (found === null) throw unknownResource();
    return found;
  }

  /**
   * Takes the place of an open invitation to the same address.
   * @throws GatewayError `permissionDenied` where the role, or that of the open invitation, is beyond the caller; `conflict`
   * for who is a member already.
   */
  async create(caller: Caller, invitee: Invitee): Promise<SentByMail> {
    requireMayGive(caller, invitee.role);
    const { organizationId } = caller;
    const { issued, organizationName } = await this.mutations.run(caller, async (mutation) => {
      const { tx, at } = mutation;
      const organization = await this.organizations.lock(tx, organizationId);
      if (organization === null) throw unknownResource();
      // Locked before members are looked at: whoever has just accepted it is found to be one.
      const older = await this.store.lockOpen(tx, organizationId, invitee.email, at);
      if (await this.members.isActive(tx, organizationId, invitee.email)) {
        throw new GatewayError('conflict', 'This address is a member’s already.', { param: 'email' });
      }
      if (older?.state === 'pending') requireMayChange(caller, older.role);
      const issued = await this.issuer.issue(mutation, caller, invitee, older);
      return { issued, organizationName: organization.name };
    });
    return { ...issued, mailed: await this.mail.send(issued, organizationName) };
  }

  /**
   * Nothing happens to one that was revoked or ran out before.
   * @throws GatewayError `notFound`; `permissionDenied` where its role is beyond the caller; `conflict` once it is accepted.
   */
  revoke(caller: Caller, invitationId: string): Promise<void> {
    return this.mutations.run(caller, async ({ tx, at, audit }) => {
      const invitation = await this.store.lock(tx, caller.organizationId, invitationId, at);
      if (invitation === null) throw unknownResource();
      if (invitation.state === 'accepted') {
        throw new GatewayError('conflict', 'The invitation has been accepted. Remove the member instead.');
      }
      if (invitation.state !== 'pending') return;
      requireMayChange(caller, invitation.role);
      await this.store.revoke(tx, invitationId);
      await audit('invitation.revoke', invitationId);
    });
  }
}
