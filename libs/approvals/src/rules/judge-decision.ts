import { type Approvers } from './gating-policies';
import { type ApprovalState, stateAfter } from './request-states';

export type Decision = 'approve' | 'reject';

/** A policy as a request keeps it: later versions do not change what the request needs. */
export interface RequiredPolicy {
  readonly approvers: Approvers;
  readonly requiredApprovals: number;
}

/** An active member whose role may decide. */
export interface Approver {
  readonly userId: string;
  readonly role: string;
}

export interface RecordedDecision {
  readonly userId: string;
  readonly decision: Decision;
}

/** A request with what is true of the organization at this moment. */
export interface DecisionFacts {
  readonly state: ApprovalState;
  readonly isExpired: boolean;
  /** The person who asked, also by a key or an app; null where nobody is known. */
  readonly requesterUserId: string | null;
  readonly policies: readonly RequiredPolicy[];
  readonly decisions: readonly RecordedDecision[];
  /** Everybody who may decide in the organization. */
  readonly approvers: readonly Approver[];
}

export type Judgement =
  | { readonly kind: 'own' | 'not_listed' | 'not_pending' | 'repeated' }
  | { readonly kind: 'recorded'; readonly state: ApprovalState };

export const isListed = (approvers: Approvers, { userId, role }: Approver): boolean =>
  approvers.userIds.includes(userId) || approvers.roles.includes(role);

/** How many people may decide about a policy's requests. */
const eligibleCount = (approvers: Approvers, people: readonly Approver[]): number =>
  people.filter((person) => isListed(approvers, person)).length;

/**
 * True where a policy can be satisfied, whoever of the eligible asks: the one who asks does not count
 * (docs/reference/approvals.md#approvers).
 */
export const hasEnoughApprovers = (
  { approvers, requiredApprovals }: RequiredPolicy,
  people: readonly Approver[],
): boolean => eligibleCount(approvers, people) > requiredApprovals;

/** The approvals that count for a policy at this moment. */
export function approvalCount(
  { approvers }: RequiredPolicy,
  facts: Pick<DecisionFacts, 'decisions' | 'approvers' | 'requesterUserId'>,
): number {
  const approving = new Set(
    facts.decisions.filter(({ decision }) => decision === 'approve').map(({ userId }) => userId),
  );
  return facts.approvers.filter(
    (person) =>
      person.userId !== facts.requesterUserId && approving.has(person.userId) && isListed(approvers, person),
  ).length;
}

/**
 * The effect of one person's decision on a request (docs/reference/approvals.md#four-eyes). A person counts once, and may replace an
 * earlier decision while the request is pending.
 */
export function judgeDecision(facts: DecisionFacts, userId: string, decision: Decision): Judgement {
  const { state, decisions, policies } = facts;
  if (userId === facts.requesterUserId) return { kind: 'own' };
  const person = facts.approvers.find((one) => one.userId === userId);
  if (person === undefined || !policies.some(({ approvers }) => isListed(approvers, person))) {
    return { kind: 'not_listed' };
  }
  const isRepeat = decisions.some((one) => one.userId === userId && one.decision === decision);
  if (isRepeat && standsBy[decision].includes(state)) return { kind: 'repeated' };
  if (state !== 'pending' || facts.isExpired) return { kind: 'not_pending' };
  if (decision === 'reject') return { kind: 'recorded', state: stateAfter(state, 'reject') ?? state };
  const after = [...decisions.filter((one) => one.userId !== userId), { userId, decision }];
  const isSatisfied = policies.every(
    (policy) => approvalCount(policy, { ...facts, decisions: after }) >= policy.requiredApprovals,
  );
  return { kind: 'recorded', state: (isSatisfied ? stateAfter(state, 'approve') : null) ?? state };
}

/** The states in which a decision still stands, so that a retry of the same call is answered again. */
const standsBy: Readonly<Record<Decision, readonly ApprovalState[]>> = {
  approve: ['pending', 'approved', 'executed', 'failed'],
  reject: ['rejected'],
};
