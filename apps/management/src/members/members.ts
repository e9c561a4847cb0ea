import { Injectable } from '@nestjs/common';
import { type Role } from '@svc/identity';
import { GatewayError } from '@svc/kernel';
import {
  changedFields,
  GrantStore,
  InvitationStore,
  MemberStore,
  Mutations,
  OrganizationStore,
  type MemberFilter,
  type MemberRecord,
  type Mutation,
} from '@svc/persistence';
import { unknownResource, type Caller, type Page, type Slice } from '@svc/platform/api';
import { requireMayChange, requireMayGive } from './role-bound';

/** The people of an organization. */
@Injectable()
export class Members {
  constructor(
    private readonly store: MemberStore,
    private readonly organizations: OrganizationStore,
    private readonly invitations: InvitationStore,
    private readonly grants: GrantStore,
    private readonly mutations: Mutations,
  ) {}

  list({ organizationId }: Caller, page: Page, filter: MemberFilter): Promise<Slice<MemberRecord>> {
    return this.store.list(organizationId, page, filter);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId }: Caller, memberId: string): Promise<MemberRecord> {
    const found = await this.store.find(organizationId, memberId);
    if (found === null) throw unknownResource();
    return found;
  }

  /**
   * @throws GatewayError `notFound`; `permissionDenied` where the old role or the new one is beyond the caller; `conflict`
   * for the last owner, and for a removed member.
   */
  changeRole(caller: Caller, memberId: string, role: Role | undefined): Promise<MemberRecord> {
    return this.mutations.run(caller, async (mutation) => {
      await this.lockOwners(mutation, caller);
      const before = await this.lock(mutation, caller, memberId);
      if (role === undefined || (role === before.role && before.state === 'active')) return before;
      if (before.state === 'removed') {
        throw new GatewayError('conflict', 'The member has been removed. Invite them again instead.');
      }
      requireMayGive(caller, role);
      await this.requireOtherOwner(mutation, before);
      const after = await this.store.changeRole(mutation.tx, memberId, role);
      await mutation.audit('member.update', memberId, changedFields({ role: before.role }, { role }));
      return after;
    });
  }

  /**
   * Ends at once all that the membership gave: sessions and access tokens look it up, and what apps were allowed in the
   * member's name does not come back with them. An open invitation to them ends, too.
   * @throws GatewayError `notFound`; `permissionDenied` where the role is beyond the caller; `conflict` for the last owner.
   */
  async remove(caller: Caller, memberId: string): Promise<void> {
    const { organizationId } = caller;
    const { email } = await this.get(caller, memberId);
    await this.mutations.run(caller, async (mutation) => {
      const { tx, at, audit } = mutation;
      await this.lockOwners(mutation, caller);
      // Before the member, as by whoever accepts it: neither waits for the other in vain.
      const invitation = await this.invitations.lockOpen(tx, organizationId, email, at);
      const before = await this.lock(mutation, caller, memberId);
      if (before.state === 'removed') return;
      await this.requireOtherOwner(mutation, before);
      await this.store.remove(tx, memberId, at);
      await this.grants.revokeOfMember(tx, organizationId, before.userId, at);
      await audit('member.delete', memberId, changedFields({ state: 'active' }, { state: 'removed' }));
      if (invitation === null) return;
      await this.invitations.revoke(tx, invitation.id);
      await audit('invitation.revoke', invitation.id);
    });
  }

  /**
   * Locks the organization: of two who take an owner's role away at the same time, the second counts the owners that the
   * first has left.
   */
  private async lockOwners({ tx }: Mutation, { organizationId }: Caller): Promise<void> {
    await this.organizations.lock(tx, organizationId);
  }

  private async lock({ tx }: Mutation, caller: Caller, memberId: string): Promise<MemberRecord> {
    const member = await this.store.lock(tx, caller.organizationId, memberId);
    if (member === null) throw unknownResource();
    requireMayChange(caller, member.role);
    return member;
  }

  private async requireOtherOwner({ tx }: Mutation, { organizationId, role }: MemberRecord): Promise<void> {
    if (role !== 'owner' || (await this.store.countOwners(tx, organizationId)) > 1) return;
    throw new GatewayError('conflict', 'An organization needs an owner. Make another member an owner first.');
  }
}
