import { type Changes } from '@svc/database';
import { type ApprovalDecision, type ApprovalRequest } from '@svc/database/rows';
import { type JsonValue } from '@svc/kernel';
import { type Requester } from '../rules/gated-call';
import { type RecordedDecision, type RequiredPolicy } from '../rules/judge-decision';
import { type ApprovalState } from '../rules/request-states';

/** A policy as it was when the request was made. */
export interface HeldByPolicy extends RequiredPolicy {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  /** The approvals that counted at the last decision. */
  readonly approvalCount: number;
}

interface DecisionRecord extends RecordedDecision {
  readonly comment: string | null;
  readonly at: Date;
}

/** Why an approved request failed, as the call would have been answered. */
export interface ExecutionError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly param: string | null;
}

type SecretState = 'none' | 'available' | 'claimed' | 'expired';

export interface ApprovalRequestRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly action: string;
  /** Null for a target that the change makes. */
  readonly targetId: string | null;
  readonly method: string;
  readonly path: string;
  /** With `"[secret]"` for each secret. */
  readonly body: JsonValue;
  readonly changes: Changes;
  readonly requester: Requester;
  readonly reason: string | null;
  readonly policies: readonly HeldByPolicy[];
  /** The oldest first. */
  readonly decisions: readonly DecisionRecord[];
  readonly state: ApprovalState;
  readonly expiresAt: Date;
  readonly decidedAt: Date | null;
  readonly executedAt: Date | null;
  readonly resultStatus: number | null;
  readonly resultTargetId: string | null;
  readonly secretState: SecretState;
  readonly error: ExecutionError | null;
  readonly createdAt: Date;
}

type RequestRow = ApprovalRequest & { readonly decisions: readonly ApprovalDecision[] };

/** Relations that Prisma reads with a request. */
export const WITH_DECISIONS = { decisions: { orderBy: { decidedAt: 'asc' } } } as const;

export const toRequest = (row: RequestRow): ApprovalRequestRecord => ({
  id: row.id,
  organizationId: row.organizationId,
  action: row.action,
  targetId: row.targetId,
  method: row.method,
  path: row.path,
  body: row.body as JsonValue,
  changes: row.changes as unknown as Changes,
  requester: requesterIn(row),
  reason: row.reason,
  policies: row.policies as unknown as HeldByPolicy[],
  decisions: row.decisions.map(({ userId, decision, comment, decidedAt }) => ({
    userId,
    decision: decision as DecisionRecord['decision'],
    comment,
    at: decidedAt,
  })),
  state: row.state as ApprovalState,
  expiresAt: row.expiresAt,
  decidedAt: row.decidedAt,
  executedAt: row.executedAt,
  resultStatus: row.resultStatus,
  resultTargetId: row.resultTargetId,
  secretState: row.secretState as SecretState,
  error: row.error as unknown as ExecutionError | null,
  createdAt: row.createdAt,
});

export const requesterIn = (
  row: Pick<ApprovalRequest, 'requesterType' | 'requesterId' | 'requesterUserId'>,
): Requester => ({
  type: row.requesterType as Requester['type'],
  id: row.requesterId,
  userId: row.requesterUserId,
});

/** Binds a sealed call to its request. */
export const approvedCallContext = (id: string): string => `approval_request:${id}:call`;

/** Binds the sealed answer of an executed call to its request. */
export const approvedAnswerContext = (id: string): string => `approval_request:${id}:answer`;
