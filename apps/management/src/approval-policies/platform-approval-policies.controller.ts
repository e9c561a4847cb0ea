import { ActWith, OperatorResource, type Call } from '@svc/api';
import { ApprovalPolicies } from './approval-policies';
import { approvalPolicy, policyDisabling, presentApprovalPolicy } from './approval-policy-schema';

const ids = { approval_policy_id: 'approvalPolicy' } as const;

@OperatorResource({
  path: 'organizations',
  one: 'OrganizationApprovalPolicy',
  many: 'OrganizationApprovalPolicies',
  tag: 'Operator',
  description: 'For the operator of the platform, with the operator’s token.',
})
export class PlatformApprovalPoliciesController {
  constructor(private readonly policies: ApprovalPolicies) {}

  @ActWith(':organization_id/approval-policies/:approval_policy_id/disable', {
    summary: 'Disables an approval policy of an organization, without approval.',
    description:
      'Break-glass, for an organization whose approvers are gone. It is in the organization’s audit log as ' +
      '`approval_policy.disable`, and its owners get a mail. A policy that is disabled already stays as it is.',
    permission: null,
    scope: null,
    operation: 'disableApprovalPolicy',
    ids,
    body: policyDisabling,
    answer: approvalPolicy,
  })
  async disable({ caller, ids, body }: Call<{ ids: 'approval_policy_id'; body: typeof policyDisabling }>) {
    return presentApprovalPolicy(await this.policies.disable(caller, ids.approval_policy_id, body.reason));
  }
}
