export const approvalStates = [
  'pending',
  'approved',
  'rejected',
  'cancelled',
  'expired',
  'executed',
  'failed',
] as const;
export type ApprovalState = (typeof approvalStates)[number];

/** Triggers of a transition of a request. `approve` means that every policy is satisfied. */
export type ApprovalTrigger = 'approve' | 'reject' | 'cancel' | 'expire' | 'execute' | 'fail';

const moves: Readonly<Record<ApprovalState, Partial<Record<ApprovalTrigger, ApprovalState>>>> = {
  pending: { approve: 'approved', reject: 'rejected', cancel: 'cancelled', expire: 'expired' },
  approved: { execute: 'executed', fail: 'failed' },
  rejected: {},
  cancelled: {},
  expired: {},
  executed: {},
  failed: {},
};

/** The state that follows; null where the trigger is not possible (docs/reference/approvals.md#states). */
export const stateAfter = (state: ApprovalState, trigger: ApprovalTrigger): ApprovalState | null =>
  moves[state][trigger] ?? null;

/** True where nothing moves a request on any more. */
export const isEnded = (state: ApprovalState): boolean => Object.keys(moves[state]).length === 0;
