import { type JsonValue } from '@svc/kernel';
import { coversAction, gateableAction } from './gateable-actions';

/** The people whom a policy names: by their role, or by their user id. */
export interface Approvers {
  readonly roles: readonly string[];
  readonly userIds: readonly string[];
}

export interface ApprovalPolicy {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly enabled: boolean;
  /** Names of gateable actions, and `<noun>.*` of them. */
  readonly actions: readonly string[];
  /** Null: the amount does not matter. */
  readonly amountAboveNanos: number | null;
  readonly approvers: Approvers;
  readonly requiredApprovals: number;
  readonly expiresAfterSeconds: number;
}

type Fields = Readonly<Record<string, JsonValue>>;

/** A change as the audit log would have it. */
export interface AuditedChange {
  readonly action: string;
  readonly targetId: string;
  readonly changes: Readonly<
    Record<string, { readonly from?: JsonValue | undefined; readonly to?: JsonValue | undefined }>
  >;
  /** The target's audited fields before the change; null for a target that the change makes. */
  readonly before: Fields | null;
}

/**
 * The policies that a change has to wait for (docs/reference/approvals.md#what-is-gated).
 * @param policies of the organization as they were before the change, disabled ones included.
 */
export const gatingPolicies = (
  policies: readonly ApprovalPolicy[],
  change: AuditedChange,
): readonly ApprovalPolicy[] =>
  policies.filter(
    (policy) =>
      isItsOwn(policy, change) ||
      (policy.enabled && (namesChange(policy, change) || touchesApprovers(policy.approvers, change))),
  );

const OWN_ACTIONS = ['approval_policy.update', 'approval_policy.delete'];

/** A change of a policy waits for that policy itself, also while it is disabled. Else it would be changed first. */
const isItsOwn = ({ id }: ApprovalPolicy, { action, targetId }: AuditedChange): boolean =>
  OWN_ACTIONS.includes(action) && targetId === id;

function namesChange({ actions, amountAboveNanos }: ApprovalPolicy, change: AuditedChange): boolean {
  if (!actions.some((pattern) => coversAction(pattern, change.action))) return false;
  const field = gateableAction(change.action)?.amountField;
  if (amountAboveNanos === null || field === undefined) return true;
  const amount = change.changes[field]?.to ?? change.before?.[field];
  // Another amount for a while is one too.
  const override = change.changes['override'];
  const overriding = amountIn(override === undefined ? change.before?.['override'] : override.to, field);
  return typeof amount !== 'number' || Math.max(amount, overriding) > amountAboveNanos;
}

function amountIn(override: JsonValue | undefined, field: string): number {
  const amount = Object.entries(override ?? {}).find(([name]) => name === field)?.[1] as unknown;
  return typeof amount === 'number' ? amount : 0;
}

/** Invitations too, new or sent again: otherwise somebody could invite a second self to approve. */
const ROLE_ACTIONS = ['invitation.create', 'invitation.resend', 'member.update'];

/** True where a change may make or unmake approvers of a policy. */
export const changesApprovers = ({ action }: AuditedChange): boolean => ROLE_ACTIONS.includes(action);

function touchesApprovers({ roles, userIds }: Approvers, change: AuditedChange): boolean {
  if (!changesApprovers(change)) return false;
  const { action, changes, before } = change;
  const touched = [
    changes['role']?.from,
    changes['role']?.to,
    action === 'invitation.resend' && before?.['role'],
  ];
  if (touched.some((role) => typeof role === 'string' && roles.includes(role))) return true;
  const userId = before?.['user_id'];
  return action === 'member.update' && typeof userId === 'string' && userIds.includes(userId);
}
