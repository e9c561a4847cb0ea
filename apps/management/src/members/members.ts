import { Injectable } from '@nestjs/common';
import { known, type Caller } from '@svc/api';
import { type Mutation, Mutations } from '@svc/approvals/store';
import { type Role } from '@svc/access';
import {
  GrantStore,
  InvitationStore,
  type MemberFilter,
  type MemberRecord,
  MemberStore,
  OrganizationStore,
} from '@svc/access/store';
import { GatewayError, type Page, type Slice } from '@svc/kernel';
import { changedFields } from '@svc/database';
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
    return this.store.listMembers(organizationId, page, filter);
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId }: Caller, memberId: string): Promise<MemberRecord> {
    return known(await this.store.findMember(organizationId, memberId));
  }

  /**
   * @throws GatewayError `notFound`; `permissionDenied` where the old or the new role exceeds the caller's; `conflict`
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
      const changes = changedFields({ role: before.role }, { role });
      const facts = { user_id: before.userId, role: before.role, state: before.state };
      await mutation.audit('member.update', memberId, changes, facts);
      return after;
    });
  }

  /**
   * @throws GatewayError `notFound`; `permissionDenied` where the role exceeds the caller's; `conflict` for the last
   * owner.
   */
  async remove(caller: Caller, memberId: string): Promise<void> {
    await this.end(caller, await this.get(caller, memberId), 'member.delete');
  }

  /**
   * The calling user's own membership.
   * @throws GatewayError `notFound`; `permissionDenied` where it is another's; `conflict` for the last owner.
   */
  async leave(caller: Caller, memberId: string): Promise<MemberRecord> {
    if (caller.userId === null) throw notTheirs();
    const member = await this.get(caller, memberId);
    if (member.userId !== caller.userId) throw notTheirs();
    return this.end(caller, member, 'member.leave');
  }

  /**
   * Ends all access of the membership at once: sessions and access tokens look it up. The member's grants to apps are
   * revoked, and do not come back with the member. Open invitations to and by the member are revoked too.
   */
  private end(
    caller: Caller,
    { id: memberId, email }: MemberRecord,
    action: 'member.delete' | 'member.leave',
  ): Promise<MemberRecord> {
    const { organizationId } = caller;
    return this.mutations.run(caller, async (mutation) => {
      const { tx, at, audit } = mutation;
      await this.lockOwners(mutation, caller);
      // The invitation is locked before the member, in the order of its acceptance: otherwise the two could deadlock.
      const invitation = await this.invitations.lockOpen(tx, organizationId, email, at);
      const before = await this.lock(mutation, caller, memberId);
      if (before.state === 'removed') return before;
      await this.requireOtherOwner(mutation, before);
      const after = await this.store.removeMember(tx, memberId, at);
      await this.grants.revokeOfMember(tx, organizationId, before.userId, at);
      await audit(action, memberId, changedFields({ state: 'active' }, { state: 'removed' }));
      if (invitation !== null) await this.invitations.revokeInvitation(tx, invitation.id);
      const sent = await this.invitations.revokeSentBy(tx, organizationId, before.userId);
      const ended = new Set([...(invitation === null ? [] : [invitation.id]), ...sent]);
      for (const id of ended) await audit('invitation.revoke', id);
      return after;
    });
  }

  /**
   * Locks the organization: when two callers take the owner role away at the same time, the second counts the owners
   * that are left.
   */
  private async lockOwners({ tx }: Mutation, { organizationId }: Caller): Promise<void> {
    await this.organizations.lockOrganization(tx, organizationId);
  }

  private async lock({ tx }: Mutation, caller: Caller, memberId: string): Promise<MemberRecord> {
    const member = known(await this.store.lockMember(tx, caller.organizationId, memberId));
    requireMayChange(caller, member.role);
    return member;
  }

  private async requireOtherOwner({ tx }: Mutation, { organizationId, role }: MemberRecord): Promise<void> {
    if (role !== 'owner' || (await this.store.countOwners(tx, organizationId)) > 1) return;
    throw new GatewayError('conflict', 'An organization needs an owner. Make another member an owner first.');
  }
}

const notTheirs = (): GatewayError =>
  new GatewayError(
    'permissionDenied',
    'Only the member can leave, with a session. Remove the member instead.',
  );
