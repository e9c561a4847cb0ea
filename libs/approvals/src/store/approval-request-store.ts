import { type Database, olderThan, pageArguments, prismaOf, sliceOf, type Transaction } from '@svc/database';
import { type Prisma } from '@svc/database/rows';
import { type JsonValue, type NewId, type Page, type Slice } from '@svc/kernel';
import { systemIds, type Sealer } from '@svc/runtime';
import {
  approvalCount,
  type Approver,
  type Decision,
  judgeDecision,
  type Judgement,
} from '../rules/judge-decision';
import { type ApprovalState } from '../rules/request-states';
import { approversOf } from './approval-policy-store';
import {
  approvedAnswerContext,
  toRequest,
  WITH_DECISIONS,
  type ApprovalRequestRecord,
} from './approval-request-record';
import { decideRequest } from './end-request';

export interface ApprovalRequestFilter {
  readonly state?: ApprovalState | undefined;
  readonly action?: string | undefined;
  /** The id of a user, a key or an app. */
  readonly requestedBy?: string | undefined;
  /** Only the requests of this requester. */
  readonly requester?: { readonly keyId: string } | { readonly userId: string } | undefined;
  /** Only pending requests that this person could decide, and has not. */
  readonly awaiting?: Approver | undefined;
}

interface DecisionGiven {
  readonly userId: string;
  readonly decision: Decision;
  readonly comment: string | null;
}

/** Changes that wait, or waited, for approval, as people read and decide them. */
export class ApprovalRequestStore {
  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
  ) {}

  /** Newest first. */
  async listApprovalRequests(
    organizationId: string,
    page: Page,
    filter: ApprovalRequestFilter,
  ): Promise<Slice<ApprovalRequestRecord>> {
    const { prisma } = this.database;
    const awaited = filter.awaiting && (await this.awaitedBy(organizationId, filter.awaiting));
    const rows = await prisma.approvalRequest.findMany({
      where: {
        AND: [
          { organizationId, ...olderThan(page) },
          awaited === undefined ? {} : { id: { in: awaited } },
          filter.state === undefined ? {} : { state: filter.state },
          filter.action === undefined ? {} : { action: filter.action },
          filter.requestedBy === undefined
            ? {}
            : { OR: [{ requesterId: filter.requestedBy }, { requesterUserId: filter.requestedBy }] },
          requestedBy(filter.requester),
        ],
      },
      include: WITH_DECISIONS,
      ...pageArguments(page),
    });
    return this.withLiveCounts(organizationId, sliceOf(rows, page, toRequest));
  }

  async findApprovalRequest(organizationId: string, id: string): Promise<ApprovalRequestRecord | null> {
    const row = await this.database.prisma.approvalRequest.findFirst({
      where: { id, organizationId },
      include: WITH_DECISIONS,
    });
    if (row === null) return null;
    const { items } = await this.withLiveCounts(organizationId, { items: [toRequest(row)], hasMore: false });
    return items[0] ?? null;
  }

  /** Locks the request until the transaction ends. */
  async lockApprovalRequest(
    tx: Transaction,
    organizationId: string,
    id: string,
  ): Promise<ApprovalRequestRecord | null> {
    const prisma = prismaOf(tx);
    await prisma.$queryRaw`
      SELECT FROM approval_requests WHERE id = ${id} AND organization_id = ${organizationId} FOR UPDATE`;
    const row = await prisma.approvalRequest.findFirst({
      where: { id, organizationId },
      include: WITH_DECISIONS,
    });
    return row === null ? null : toRequest(row);
  }

  /** Judges and records a person's decision about a locked request. */
  async decide(
    tx: Transaction,
    request: ApprovalRequestRecord,
    { userId, decision, comment }: DecisionGiven,
    nowMs: number,
  ): Promise<Judgement> {
    const prisma = prismaOf(tx);
    const approvers = await approversOf(prisma, request.organizationId);
    const isExpired = await hasExpired(tx, request.id);
    const facts = { ...request, requesterUserId: request.requester.userId, approvers, isExpired };
    const judgement = judgeDecision(facts, userId, decision);
    if (judgement.kind !== 'recorded') return judgement;
    await prisma.$executeRaw`
      INSERT INTO approval_decisions (approval_request_id, user_id, decision, comment, decided_at)
      VALUES (${request.id}, ${userId}, ${decision}, ${comment}, clock_timestamp())
      ON CONFLICT (approval_request_id, user_id)
        DO UPDATE SET decision = excluded.decision, comment = excluded.comment, decided_at = excluded.decided_at`;
    const decisions = [
      ...request.decisions.filter((one) => one.userId !== userId),
      { userId, decision, comment, at: new Date(nowMs) },
    ];
    const counted = countedAnew({ ...request, decisions }, approvers);
    await prisma.$executeRaw`
      UPDATE approval_requests SET policies = ${JSON.stringify(counted.policies)}::jsonb, updated_at = now()
      WHERE id = ${request.id}`;
    if (judgement.state !== 'pending') {
      const ending = { trigger: decision, decidedBy: userId } as const;
      await decideRequest(tx, request, ending, { newId: this.newId, nowMs });
    }
    return judgement;
  }

  /** Cancels a locked pending request. @param cancelledBy the user; null for a key. */
  cancel(
    tx: Transaction,
    request: ApprovalRequestRecord,
    cancelledBy: string | null,
    nowMs: number,
  ): Promise<void> {
    return decideRequest(
      tx,
      request,
      { trigger: 'cancel', decidedBy: cancelledBy },
      { newId: this.newId, nowMs },
    );
  }

  /**
   * Takes the sealed answer of a locked request away, so that it is shown once.
   * @returns null where there is none any more.
   */
  async takeAnswer(tx: Transaction, { id }: ApprovalRequestRecord, sealer: Sealer): Promise<JsonValue> {
    const prisma = prismaOf(tx);
    const row = await prisma.approvalRequest.findUnique({
      where: { id },
      select: { secretCiphertext: true },
    });
    if (row?.secretCiphertext == null) return null;
    const opened = sealer.open(row.secretCiphertext, approvedAnswerContext(id));
    await prisma.$executeRaw`
      UPDATE approval_requests SET secret_state = 'claimed', secret_ciphertext = NULL, updated_at = now() WHERE id = ${id}`;
    return JSON.parse(opened.toString()) as JsonValue;
  }

  private async awaitedBy(organizationId: string, { userId, role }: Approver): Promise<string[]> {
    const rows = await this.database.prisma.$queryRaw<{ id: string }[]>`
      SELECT r.id FROM approval_requests r
      WHERE r.organization_id = ${organizationId} AND r.state = 'pending' AND r.expires_at > now()
        AND r.requester_user_id IS DISTINCT FROM ${userId}
        AND NOT EXISTS (SELECT FROM approval_decisions d WHERE d.approval_request_id = r.id AND d.user_id = ${userId})
        AND EXISTS (SELECT FROM jsonb_array_elements(r.policies) p
          WHERE p->'approvers'->'roles' ? ${role} OR p->'approvers'->'userIds' ? ${userId})`;
    return rows.map(({ id }) => id);
  }

  private async withLiveCounts(
    organizationId: string,
    { items, hasMore }: Slice<ApprovalRequestRecord>,
  ): Promise<Slice<ApprovalRequestRecord>> {
    if (!items.some(({ state }) => state === 'pending')) return { items, hasMore };
    const approvers = await approversOf(this.database.prisma, organizationId);
    return { items: items.map((item) => countedAnew(item, approvers)), hasMore };
  }
}

/** The approvals of a pending request count while their people may decide. Those of others counted when it was decided. */
function countedAnew(request: ApprovalRequestRecord, approvers: readonly Approver[]): ApprovalRequestRecord {
  if (request.state !== 'pending') return request;
  const facts = { decisions: request.decisions, approvers, requesterUserId: request.requester.userId };
  const policies = request.policies.map((policy) => ({
    ...policy,
    approvalCount: approvalCount(policy, facts),
  }));
  return { ...request, policies };
}

function requestedBy(requester: ApprovalRequestFilter['requester']): Prisma.ApprovalRequestWhereInput {
  if (requester === undefined) return {};
  return 'keyId' in requester
    ? { requesterType: 'api_key', requesterId: requester.keyId }
    : { requesterType: { not: 'api_key' }, requesterUserId: requester.userId };
}

async function hasExpired(tx: Transaction, id: string): Promise<boolean> {
  const rows = await prismaOf(tx).$queryRaw<unknown[]>`
    SELECT FROM approval_requests WHERE id = ${id} AND expires_at <= clock_timestamp()`;
  return rows.length > 0;
}
