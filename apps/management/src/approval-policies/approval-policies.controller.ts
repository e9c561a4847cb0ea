import { Change, Create, Get, List, Remove, Resource, type Call } from '@svc/api';
import { ApprovalPolicyStore } from '@svc/approvals/store';
import { InvitationStore, MemberStore } from '@svc/access/store';
import { type Collection } from '../collection';
import { ApprovalPolicies } from './approval-policies';
import {
  approvalAction,
  approvalPolicy,
  approvalPolicyChange,
  newApprovalPolicy,
  POLICIES_MAX,
  presentApprovalPolicy,
  presentedActions,
} from './approval-policy-schema';
import { PlatformApprovalPoliciesController } from './platform-approval-policies.controller';

const ids = { approval_policy_id: 'approvalPolicy' } as const;
const heading = {
  tag: 'Approvals',
  description: 'Policies that make changes wait until other people have approved them.',
};

@Resource({
  ...heading,
  path: 'approval-policies',
  one: 'ApprovalPolicy',
  many: 'ApprovalPolicies',
})
class ApprovalPoliciesController {
  constructor(private readonly policies: ApprovalPolicies) {}

  @List('', {
    summary: 'The approval policies, newest first.',
    permission: 'approval:read',
    scope: null,
    cursor: 'approvalPolicy',
    item: approvalPolicy,
  })
  async list({ caller, page }: Call) {
    const { items, hasMore } = await this.policies.list(caller, page);
    return { items: items.map(presentApprovalPolicy), hasMore };
  }

  @Get(':approval_policy_id', {
    summary: 'One approval policy.',
    permission: 'approval:read',
    scope: null,
    ids,
    answer: approvalPolicy,
  })
  async get({ caller, ids }: Call<{ ids: 'approval_policy_id' }>) {
    return presentApprovalPolicy(await this.policies.get(caller, ids.approval_policy_id));
  }

  @Create('', {
    summary: 'Creates an approval policy.',
    description:
      'A policy is refused where too few members may decide: there must be one more than `required_approvals`, because ' +
      `the requester never decides. Open invitations into a role of \`approvers.roles\` end. An organization can have ` +
      `${String(POLICIES_MAX)} policies.`,
    permission: 'approval:write',
    scope: null,
    approval: 'approval_policy.create',
    callers: ['session'],
    body: newApprovalPolicy,
    answer: approvalPolicy,
  })
  async create({ caller, body }: Call<{ body: typeof newApprovalPolicy }>) {
    return presentApprovalPolicy(await this.policies.create(caller, body));
  }

  @Change(':approval_policy_id', {
    summary: 'Changes, disables or enables an approval policy.',
    description:
      'The change waits for the policy itself, as it was before, also while it is disabled. Requests that wait keep what ' +
      'they were made under.',
    permission: 'approval:write',
    scope: null,
    approval: 'approval_policy.update',
    callers: ['session'],
    ids,
    body: approvalPolicyChange,
    answer: approvalPolicy,
  })
  async change({
    caller,
    ids,
    body,
  }: Call<{ ids: 'approval_policy_id'; body: typeof approvalPolicyChange }>) {
    return presentApprovalPolicy(await this.policies.change(caller, ids.approval_policy_id, body));
  }

  @Remove(':approval_policy_id', {
    summary: 'Deletes an approval policy.',
    description: 'The deletion waits for the policy itself. Requests that wait for it go on.',
    permission: 'approval:write',
    scope: null,
    approval: 'approval_policy.delete',
    callers: ['session'],
    ids,
  })
  async remove({ caller, ids }: Call<{ ids: 'approval_policy_id' }>) {
    await this.policies.remove(caller, ids.approval_policy_id);
  }
}

@Resource({ ...heading, path: 'approval-actions', one: 'ApprovalAction', many: 'ApprovalActions' })
class ApprovalActionsController {
  @List('', {
    summary: 'The actions that a policy can gate.',
    permission: 'approval:read',
    scope: null,
    cursor: null,
    item: approvalAction,
  })
  list(_: Call) {
    return Promise.resolve({ items: presentedActions, hasMore: false });
  }
}

export const approvalPolicies: Collection = {
  controllers: [ApprovalPoliciesController, ApprovalActionsController, PlatformApprovalPoliciesController],
  services: [ApprovalPolicies],
  stores: [ApprovalPolicyStore, InvitationStore, MemberStore],
};
