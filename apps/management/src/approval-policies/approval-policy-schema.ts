import { gateableActions } from '@svc/approvals';
import { id, line, name, presenter, recordFields, timestamp } from '@svc/api';
import { roles } from '@svc/access';
import { type ApprovalPolicyRecord, type ApprovalPolicySettings } from '@svc/approvals/store';
import { z } from 'zod';

export const POLICIES_MAX = 50;
const ACTIONS_MAX = 100;
const USERS_MAX = 100;
const DAY_SECONDS = 86_400;
const REASON_MAX = 500;

const actions = z
  .array(z.string().max(100))
  .min(1)
  .max(ACTIONS_MAX)
  .meta({
    description:
      'What waits: names of `GET /api/v1/approval-actions`, or `<noun>.*` for all of a noun that are listed there.',
    example: ['budget.*', 'policy.update'],
  });

const amountAbove = z.int().min(0).nullable().meta({
  description:
    'Nano-dollars. Of the actions with an amount, which are those of budgets, only greater ones wait. Null: all wait.',
  example: 1_000_000_000_000_000,
});

const approverFields = {
  roles: z
    .array(z.enum(roles))
    .max(roles.length)
    .meta({ example: ['owner', 'security_admin'] }),
  user_ids: z.array(id('user')).max(USERS_MAX).meta({ example: [] }),
};
const approvers = z.object(approverFields).meta({
  id: 'Approvers',
  description:
    'Who may decide: active members with one of the roles, or named by user id, if their role has `approval:decide`.',
});
const newApprovers = z
  .strictObject({ roles: approverFields.roles.default([]), user_ids: approverFields.user_ids.default([]) })
  .meta({ id: 'NewApprovers', example: { roles: ['owner', 'security_admin'] } });

const required = z
  .int()
  .min(1)
  .max(5)
  .meta({ description: 'How many people must approve. The requester never counts.', example: 1 });
const expiresAfter = z
  .int()
  .min(60)
  .max(30 * DAY_SECONDS)
  .meta({ description: 'Until a request that nobody decides expires.', example: 7 * DAY_SECONDS });
const enabled = z.boolean().meta({
  description: 'A disabled policy gates nothing but its own changes.',
});

const settings = z.object({
  name: name(),
  actions,
  amount_above_nanos: amountAbove,
  approvers,
  required_approvals: required,
  expires_after_seconds: expiresAfter,
  enabled,
});

export const approvalPolicy = z
  .object({
    id: id('approvalPolicy'),
    organization_id: id('organization'),
    ...settings.shape,
    version: z.int().min(1).meta({ description: 'Each change makes the next. A request keeps its own.' }),
    degraded: z.boolean().meta({
      description:
        'Whether too few members may decide: not more than `required_approvals`, of whom one may be the requester.',
      example: false,
    }),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'ApprovalPolicy', description: 'Makes changes wait until people have approved them.' });

export const newApprovalPolicy = z
  .strictObject({
    name: name(),
    actions,
    amount_above_nanos: amountAbove.default(null),
    approvers: newApprovers,
    required_approvals: required.default(1),
    expires_after_seconds: expiresAfter.default(7 * DAY_SECONDS),
    enabled: enabled.default(true),
  })
  .meta({
    id: 'NewApprovalPolicy',
    example: {
      name: 'Large budgets',
      actions: ['budget.*'],
      amount_above_nanos: 1_000_000_000_000_000,
      approvers: { roles: ['owner', 'security_admin'] },
    },
  });

export const approvalPolicyChange = z
  .strictObject({ ...settings.shape, approvers: newApprovers })
  .partial()
  .meta({ id: 'ApprovalPolicyChange', example: { name: 'Budgets of a million and more' } });

export const policyDisabling = z
  .strictObject({
    reason: line(REASON_MAX).meta({
      description: 'For the organization’s audit log and the mail to its owners.',
      example: 'All approvers have left the company.',
    }),
  })
  .meta({ id: 'ApprovalPolicyDisabling' });

export const approvalAction = z
  .object({
    action: z.string().meta({ example: 'budget.update' }),
    description: z.string().meta({ example: 'Change a budget.' }),
  })
  .meta({ id: 'ApprovalAction' });

export const presentedActions: readonly z.input<typeof approvalAction>[] = Object.entries(
  gateableActions,
).map(([action, { description }]) => ({ action, description }));

/** A policy, and whether too few members may decide about its requests at this moment. */
export interface ShownPolicy extends ApprovalPolicyRecord {
  readonly degraded: boolean;
}

const computed = {
  approvers: ({ approvers: { roles: names, userIds } }: ApprovalPolicySettings) => ({
    roles: names as readonly (typeof roles)[number][],
    user_ids: userIds,
  }),
};

export const presentApprovalPolicy = presenter<typeof approvalPolicy, ShownPolicy>(approvalPolicy, computed);

/** The settings, as the audit log shows them. */
export const presentSettings = presenter<typeof settings, ApprovalPolicySettings>(settings, computed);

export const settingsOf = ({
  actions: names,
  approvers: { roles, user_ids },
  ...others
}: z.output<typeof newApprovalPolicy>): ApprovalPolicySettings => ({
  ...recordFields(others),
  actions: [...new Set(names)],
  approvers: { roles: [...new Set(roles)], userIds: [...new Set(user_ids)] },
});
