import { Injectable } from '@nestjs/common';
import { InvitationStore, MemberStore } from '@svc/access/store';
import { disabledPolicyMail, hasEnoughApprovers, isActionPattern } from '@svc/approvals';
import { known, requireRoom, unknownResource, type Caller } from '@svc/api';
import {
  type ApprovalPolicyRecord,
  type ApprovalPolicySettings,
  ApprovalPolicyStore,
  type Mutation,
  Mutations,
  queueMails,
} from '@svc/approvals/store';
import { GatewayError, isId, type Page, type Slice } from '@svc/kernel';
import { changedFields, initialFields, type Transaction } from '@svc/database';
import { type z } from 'zod';
import {
  POLICIES_MAX,
  presentSettings,
  settingsOf,
  type ShownPolicy,
  type approvalPolicyChange,
  type newApprovalPolicy,
} from './approval-policy-schema';

/** Which changes of an organization wait for whom. A change of a policy waits for that policy itself. */
@Injectable()
export class ApprovalPolicies {
  constructor(
    private readonly store: ApprovalPolicyStore,
    private readonly members: MemberStore,
    private readonly invitations: InvitationStore,
    private readonly mutations: Mutations,
  ) {}

  async list({ organizationId }: Caller, page: Page): Promise<Slice<ShownPolicy>> {
    const { items, hasMore } = await this.store.listApprovalPolicies(organizationId, page);
    const people = await this.store.approvers(organizationId);
    return {
      items: items.map((policy) => ({ ...policy, degraded: !hasEnoughApprovers(policy, people) })),
      hasMore,
    };
  }

  /** @throws GatewayError `notFound`. */
  async get({ organizationId }: Caller, id: string): Promise<ShownPolicy> {
    return this.shown(known(await this.store.findApprovalPolicy(organizationId, id)));
  }

  /** @throws GatewayError `invalidRequest`; `conflict` above the most policies. */
  async create(caller: Caller, body: z.output<typeof newApprovalPolicy>): Promise<ShownPolicy> {
    const { organizationId } = caller;
    requireActions(body.actions);
    const settings = settingsOf(body);
    const policy = await this.mutations.run(caller, async (mutation) => {
      const { tx, newId, audit } = mutation;
      const count = await this.store.lockApprovalPolicyCount(tx, organizationId);
      requireRoom(count, POLICIES_MAX, 'approval policies', 'delete one first');
      await this.requireMembers(tx, organizationId, settings);
      await this.requireApprovers(tx, organizationId, settings);
      const created = await this.store.createApprovalPolicy(tx, {
        id: newId('approvalPolicy'),
        organizationId,
        ...settings,
      });
      await audit('approval_policy.create', created.id, initialFields(presentSettings(created)));
      await this.endInvitations(mutation, organizationId, gatedRoles(created));
      return created;
    });
    return this.shown(policy);
  }

  /** @throws GatewayError `notFound`, `invalidRequest`. */
  async change(
    caller: Caller,
    id: string,
    body: z.output<typeof approvalPolicyChange>,
  ): Promise<ShownPolicy> {
    const { organizationId } = caller;
    requireActions(body.actions ?? []);
    const policy = await this.mutations.run(caller, async (mutation) => {
      const { tx, audit } = mutation;
      const before = known(await this.store.lockApprovalPolicy(tx, organizationId, id));
      const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
      const settings = settingsOf({ ...presentSettings(before), ...given });
      const changes = changedFields(presentSettings(before), presentSettings(settings));
      if (Object.keys(changes).length === 0) return before;
      if ('approvers' in changes) await this.requireMembers(tx, organizationId, settings);
      const names = ['approvers', 'required_approvals', 'enabled'];
      if (settings.enabled && names.some((name) => name in changes)) {
        await this.requireApprovers(tx, organizationId, settings);
      }
      await audit('approval_policy.update', id, changes, audited(before));
      const gatedBefore = gatedRoles(before);
      const newlyGated = gatedRoles(settings).filter((role) => !gatedBefore.includes(role));
      await this.endInvitations(mutation, organizationId, newlyGated);
      return this.store.changeApprovalPolicy(tx, id, settings);
    });
    return this.shown(policy);
  }

  /** Requests that wait for it go on with their copies. @throws GatewayError `notFound`. */
  remove(caller: Caller, id: string): Promise<void> {
    return this.mutations.run(caller, async ({ tx, audit }) => {
      const before = known(await this.store.lockApprovalPolicy(tx, caller.organizationId, id));
      await audit('approval_policy.delete', id, { name: { from: before.name } }, audited(before));
      await this.store.deleteApprovalPolicy(tx, id);
    });
  }

  /**
   * Break-glass, for the operator. It waits for nobody, and the owners are told.
   * @throws GatewayError `notFound`.
   */
  async disable(caller: Caller, id: string, reason: string): Promise<ShownPolicy> {
    const { organizationId } = caller;
    if (!isId('organization', organizationId)) throw unknownResource();
    const policy = await this.mutations.run(caller, async ({ tx, audit }) => {
      const before = known(await this.store.lockApprovalPolicy(tx, organizationId, id));
      if (!before.enabled) return before;
      const changes = {
        ...changedFields({ enabled: true }, { enabled: false }),
        ...initialFields({ reason }),
      };
      await audit('approval_policy.disable', id, changes, audited(before));
      const people = await this.store.approvers(organizationId, tx);
      const owners = people.filter(({ role }) => role === 'owner').map(({ userId }) => userId);
      await queueMails(tx, { organizationId, userIds: owners, ...disabledPolicyMail({ ...before, reason }) });
      return this.store.changeApprovalPolicy(tx, id, { ...settingsIn(before), enabled: false });
    });
    return this.shown(policy);
  }

  private async shown(policy: ApprovalPolicyRecord): Promise<ShownPolicy> {
    const people = await this.store.approvers(policy.organizationId);
    return { ...policy, degraded: !hasEnoughApprovers(policy, people) };
  }

  /**
   * Ends open invitations into roles that a policy gates from now on: nobody has approved them. The transaction has locked
   * the organization, so an invitation that is made meanwhile waits, and then for the policy.
   */
  private async endInvitations(
    { tx, audit }: Mutation,
    organizationId: string,
    roles: readonly string[],
  ): Promise<void> {
    for (const id of await this.invitations.revokeInto(tx, organizationId, roles)) {
      await audit('invitation.revoke', id);
    }
  }

  /** Whoever is named is a member now: an id that is anybody else's would wait for nobody. */
  private async requireMembers(
    tx: Transaction,
    organizationId: string,
    { approvers: { userIds } }: ApprovalPolicySettings,
  ): Promise<void> {
    const members = await this.members.listActive(tx, organizationId, userIds);
    const at = userIds.findIndex((userId) => !members.has(userId));
    if (at < 0) return;
    const param = `approvers.user_ids[${String(at)}]`;
    throw new GatewayError('invalidRequest', `${param}: must be the user id of an active member.`, { param });
  }

  /** A policy that nobody could satisfy would lock what it gates. */
  private async requireApprovers(
    tx: Transaction,
    organizationId: string,
    settings: ApprovalPolicySettings,
  ): Promise<void> {
    if (hasEnoughApprovers(settings, await this.store.approvers(organizationId, tx))) return;
    const needed = String(settings.requiredApprovals + 1);
    throw new GatewayError(
      'invalidRequest',
      `approvers: at least ${needed} members must be able to decide, because the requester cannot. Fewer of them have the permission approval:decide.`,
      { param: 'approvers' },
    );
  }
}

const settingsIn = ({
  id: _id,
  organizationId: _organization,
  version: _version,
  createdAt: _created,
  updatedAt: _updated,
  ...settings
}: ApprovalPolicyRecord): ApprovalPolicySettings => settings;

function requireActions(actions: readonly string[]): void {
  const at = actions.findIndex((text) => !isActionPattern(text));
  if (at < 0) return;
  const param = `actions[${String(at)}]`;
  throw new GatewayError(
    'invalidRequest',
    `${param}: must be an action that can be gated, or <noun>.* of one. /api/v1/approval-actions lists them.`,
    { param },
  );
}

/** Joining these waits for the policy. */
const gatedRoles = ({ enabled, approvers }: ApprovalPolicySettings): readonly string[] =>
  enabled ? approvers.roles : [];

const audited = (policy: ApprovalPolicyRecord) => ({ ...presentSettings(policy), version: policy.version });
