import { parseMoney, plainDollars } from '../../format/money';
import { type ApprovalPolicy, type NewApprovalPolicy, type Role } from './approval';

const HOUR = 3_600;

/** The form of a policy, as it is typed. */
export interface PolicyDraft {
  readonly name: string;
  readonly actions: readonly string[];
  readonly above: string;
  readonly roles: readonly Role[];
  readonly users: string;
  readonly required: number | null;
  readonly hours: number | null;
  readonly isEnabled: boolean;
}

const empty: PolicyDraft = {
  name: '',
  actions: [],
  above: '',
  roles: ['owner', 'security_admin'],
  users: '',
  required: 1,
  hours: 7 * 24,
  isEnabled: true,
};

export const draftOf = (policy: ApprovalPolicy | null): PolicyDraft =>
  policy === null
    ? empty
    : {
        name: policy.name,
        actions: policy.actions,
        above: policy.amount_above_nanos === null ? '' : plainDollars(policy.amount_above_nanos),
        roles: policy.approvers.roles,
        users: policy.approvers.user_ids.join(', '),
        required: policy.required_approvals,
        hours: policy.expires_after_seconds / HOUR,
        isEnabled: policy.enabled,
      };

/** Null while the amount is none. */
export function policyOf(draft: PolicyDraft): NewApprovalPolicy | null {
  const above = parseMoney(draft.above);
  if ('problem' in above && above.problem !== 'empty') return null;
  return {
    name: draft.name.trim(),
    actions: [...draft.actions],
    amount_above_nanos: 'problem' in above ? null : above.amount,
    approvers: {
      roles: [...draft.roles],
      user_ids: draft.users.split(/[\s,]+/).filter((id) => id !== ''),
    },
    required_approvals: draft.required ?? 1,
    expires_after_seconds: Math.round((draft.hours ?? 0) * HOUR),
    enabled: draft.isEnabled,
  };
}
