import { approvalStates } from '@svc/approvals';
import { id, line, presenter, presentTime, timestamp } from '@svc/api';
import { registeredOauthApp } from '@svc/api/oauth-routes';
import { type ApprovalRequestRecord } from '@svc/approvals/store';
import { z } from 'zod';
import { createdInvitation } from '../invitations/invitation-schema';
import { mintedApiKey } from '../keys/key-schema';
import { issuedSigningSecret } from '../webhook-endpoints/webhook-endpoint-schema';

const COMMENT_MAX = 500;
const USER = 'usr_06dpm2q4x8k3c0v9r7t5w1hzny';
const BUDGET = 'bud_06dpm2q4x8k3c0v9r7t5w1hzny';

const state = z.enum(approvalStates).meta({
  description: '`pending` and `approved` move on; the others are final.',
});
const action = z.string().meta({ description: 'As in the audit log.', example: 'budget.update' });
const userId = z.string().meta({ example: USER });

const changes = z
  .record(z.string(), z.object({ from: z.unknown().optional(), to: z.unknown().optional() }))
  .meta({
    description: 'What would change, as the audit log would have it.',
    example: { amount_nanos: { from: 5_000_000_000, to: 9_000_000_000 } },
  });

const heldBy = z.object({
  id: id('approvalPolicy'),
  name: z.string().meta({ example: 'Large budgets' }),
  version: z.int().min(1).meta({ example: 1 }),
  required_approvals: z.int().min(1).meta({ example: 1 }),
  approval_count: z
    .int()
    .min(0)
    .meta({ description: 'Approvals by people who may decide at this moment.', example: 0 }),
});

const decision = z.object({
  user_id: userId,
  decision: z.enum(['approved', 'rejected']),
  comment: z.string().nullable().meta({ example: null }),
  at: timestamp(),
});

const result = z.object({
  status: z.int().meta({ description: 'The HTTP status that the call would have had.', example: 201 }),
  target_id: z.string().nullable().meta({ description: 'What was made or changed.', example: BUDGET }),
  secret: z.enum(['none', 'available', 'claimed', 'expired']).meta({
    description: '`available`: the requester can claim it once, within 72 hours.',
    example: 'none',
  }),
});

const executionError = z.object({
  status: z.int().meta({ example: 409 }),
  code: z.string().meta({ example: 'target_changed' }),
  message: z.string().meta({ example: 'The target has changed since the request was made. Ask again.' }),
  param: z.string().nullable().meta({ example: null }),
});

export const approvalRequest = z
  .object({
    id: id('approvalRequest'),
    organization_id: id('organization'),
    action,
    target_id: z
      .string()
      .nullable()
      .meta({ description: 'Null for what the change makes.', example: BUDGET }),
    method: z.string().meta({ example: 'PATCH' }),
    path: z.string().meta({ example: `/api/v1/budgets/${BUDGET}` }),
    body: z.unknown().meta({
      description: 'The body of the call, with `"[secret]"` for each secret; null without one.',
      example: { amount_nanos: 9_000_000_000 },
    }),
    changes,
    requested_by: z.object({
      type: z.enum(['user', 'api_key', 'oauth_app']),
      id: z.string().meta({ description: 'Of the user, the key or the app.', example: USER }),
      user_id: userId
        .nullable()
        .meta({ description: 'The person: for a key, who made it. This person never decides.' }),
    }),
    reason: z.string().nullable().meta({ description: 'From `Svc-Approval-Reason`.', example: null }),
    policies: z
      .array(heldBy)
      .meta({ description: 'Each must be satisfied. They are as they were at the request.' }),
    decisions: z.array(decision),
    state,
    expires_at: timestamp(),
    decided_at: timestamp().nullable(),
    executed_at: timestamp().nullable(),
    result: result.nullable().meta({ description: 'Null until it is executed.' }),
    error: executionError.nullable().meta({ description: 'Why it failed; null otherwise.' }),
    created_at: timestamp(),
  })
  .meta({ id: 'ApprovalRequest', description: 'A change that waits, or waited, for approval.' });

export const approvalRequestFilters = {
  state: state.optional(),
  action: z.string().max(100).optional().meta({ example: 'budget.update' }),
  requested_by: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'The id of a user, a key or an app.', example: USER }),
  awaiting: z
    .enum(['me'])
    .optional()
    .meta({ description: '`me`: what waits for the calling user’s decision.' }),
};

export const decisionBody = z
  .strictObject({
    comment: line(COMMENT_MAX).optional().meta({ description: 'For the requester.', example: 'Fine by me.' }),
  })
  .meta({ id: 'ApprovalDecision' });

export const claimedSecret = z
  .union([mintedApiKey, issuedSigningSecret, registeredOauthApp, createdInvitation])
  .meta({ id: 'ClaimedSecret', description: 'What the call would have been answered, with the secret.' });

/** In the words of the states and of `approval.decided`. */
const presentedDecisions = { approve: 'approved', reject: 'rejected' } as const;

const presentHeldBy = presenter<typeof heldBy, ApprovalRequestRecord['policies'][number]>(heldBy, {});

export const presentApprovalRequest = presenter<typeof approvalRequest, ApprovalRequestRecord>(
  approvalRequest,
  {
    requested_by: ({ requester: { type, id, userId } }) => ({ type, id, user_id: userId }),
    policies: ({ policies }) => policies.map(presentHeldBy),
    decisions: ({ decisions }) =>
      decisions.map(({ userId: user_id, decision, comment, at }) => ({
        user_id,
        decision: presentedDecisions[decision],
        comment,
        at: presentTime(at),
      })),
    result: ({ resultStatus: status, resultTargetId: target_id, secretState: secret }) =>
      status === null ? null : { status, target_id, secret },
  },
);
