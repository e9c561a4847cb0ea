import { createHash } from 'node:crypto';
import {
  type AuditLog,
  initialFields,
  lockOrganization,
  Outbox,
  prismaOf,
  type Transaction,
} from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { recordEvent } from '@svc/events';
import { canonicalJson, GatewayError, type JsonValue, type NewId } from '@svc/kernel';
import { type Sealer } from '@svc/runtime';
import { requestMail } from '../rules/approval-mails';
import { gateableAction } from '../rules/gateable-actions';
import { type CallInput, type GatedCall, type Requester } from '../rules/gated-call';
import { type ApprovalPolicy, type AuditedChange } from '../rules/gating-policies';
import { isListed } from '../rules/judge-decision';
import { approversOf } from './approval-policy-store';
import { approvedCallContext, type HeldByPolicy } from './approval-request-record';
import { eventFields } from './end-request';
import { queueMails } from './queue-mails';
import { personBehind } from './requester';

/** A change that waits, with the policies that it waits for. */
interface HeldChange {
  readonly organizationId: string;
  readonly requester: Requester;
  readonly requestId: string;
  readonly call: GatedCall;
  readonly change: AuditedChange;
  readonly targetSha256: Buffer | null;
  readonly policies: readonly ApprovalPolicy[];
  readonly nowMs: number;
}

/** Requests that an organization can have pending (docs/reference/approvals.md#requests). */
const PENDING_MAX = 100;

/** Stores the changes that have to wait. */
export class ApprovalGate {
  private readonly outbox = new Outbox();

  constructor(
    private readonly sealer: Sealer,
    private readonly auditLog: AuditLog,
    private readonly newId: NewId,
  ) {}

  /**
   * Stores a request with its audit entry, event and mails. The same call of the same requester finds the pending one.
   * @returns the request's id.
   * @throws GatewayError `conflict` above the most pending requests.
   */
  async hold(tx: Transaction, held: HeldChange): Promise<string> {
    await lockOrganization(prismaOf(tx), held.organizationId);
    const traced = { ...held, requester: await personBehind(tx, held.organizationId, held.requester) };
    const callSha256 = digestOf(traced);
    const same = await this.findSame(tx, traced, callSha256);
    if (same !== null) return same;
    await requireRoom(tx, held.organizationId);
    const id = this.newId('approvalRequest');
    const expiresAt = await this.insert(tx, id, traced, callSha256);
    await this.tell(tx, id, traced, expiresAt);
    return id;
  }

  /** A digest of a secret could be guessed, so the bodies with secrets are compared instead. */
  private async findSame(
    tx: Transaction,
    { organizationId, call }: HeldChange,
    callSha256: Uint8Array,
  ): Promise<string | null> {
    const rows = await prismaOf(tx).$queryRaw<{ id: string; callCiphertext: Uint8Array }[]>`
      SELECT id, call_ciphertext AS "callCiphertext" FROM approval_requests
      WHERE organization_id = ${organizationId} AND state = 'pending' AND expires_at > now() AND call_sha256 = ${callSha256}
      ORDER BY id`;
    const body = canonicalJson(call.input.body);
    const found = rows.find(({ id, callCiphertext }) => {
      const opened = this.sealer.open(callCiphertext, approvedCallContext(id));
      return canonicalJson((JSON.parse(opened.toString()) as CallInput).body) === body;
    });
    return found?.id ?? null;
  }

  private async insert(
    tx: Transaction,
    id: string,
    { organizationId, requester, requestId, call, change, targetSha256, policies }: HeldChange,
    callSha256: Buffer,
  ): Promise<Date> {
    const sealed = this.sealer.seal(Buffer.from(JSON.stringify(call.input)), approvedCallContext(id));
    const copies = policies.map(copyOf);
    const expiresAfterSeconds = Math.min(...policies.map((policy) => policy.expiresAfterSeconds));
    const [row] = await prismaOf(tx).$queryRaw<{ expiresAt: Date }[]>`
      INSERT INTO approval_requests (id, organization_id, action, target_id, target_sha256, route, method, path, body,
        changes, call_sha256, call_ciphertext, requester_type, requester_id, requester_user_id, request_id, reason, policies,
        expires_at)
      VALUES (${id}, ${organizationId}, ${change.action}, ${targetIdOf(change)}, ${targetSha256},
        ${call.route}, ${call.method}, ${call.path}, ${jsonOrNull(call.shownBody)}::jsonb,
        ${JSON.stringify(change.changes)}::jsonb, ${callSha256}, ${sealed}, ${requester.type}, ${requester.id},
        ${requester.userId}, ${requestId}, ${call.reason}, ${JSON.stringify(copies)}::jsonb,
        now() + ${expiresAfterSeconds} * interval '1 s')
      RETURNING expires_at AS "expiresAt"`;
    if (row === undefined) throw new Error('An insert returns its row');
    return row.expiresAt;
  }

  private async tell(
    tx: Transaction,
    id: string,
    { organizationId, requester, requestId, call, change, policies, nowMs }: HeldChange,
    expiresAt: Date,
  ): Promise<void> {
    const targetId = targetIdOf(change);
    await this.auditLog.append(tx, {
      organizationId,
      actor: { type: requester.type, id: requester.id },
      action: 'approval_request.create',
      targetId: id,
      changes: initialFields({ action: change.action, target_id: targetId }),
      requestId,
    });
    const data = eventFields({ id, action: change.action, targetId, requester });
    await this.outbox.append(
      tx,
      recordEvent(this.newId('event'), 'approval.requested', organizationId, nowMs, data),
    );
    const people = await approversOf(prismaOf(tx), organizationId);
    const told = people.filter(
      (person) =>
        person.userId !== requester.userId && policies.some(({ approvers }) => isListed(approvers, person)),
    );
    const requestedBy = requester.type === 'api_key' ? requester.id : (requester.userId ?? requester.id);
    await queueMails(tx, {
      organizationId,
      userIds: told.map(({ userId }) => userId),
      ...requestMail({ id, action: change.action, requestedBy, reason: call.reason, expiresAt }),
    });
  }
}

const targetIdOf = ({ action, targetId }: AuditedChange): string | null =>
  gateableAction(action)?.makesTarget === true ? null : targetId;

const copyOf = ({ id, name, version, approvers, requiredApprovals }: ApprovalPolicy): HeldByPolicy => ({
  id,
  name,
  version,
  approvers,
  requiredApprovals,
  approvalCount: 0,
});

const jsonOrNull = (value: JsonValue): string | null => (value === null ? null : JSON.stringify(value));

/** The same for the same requester, call and target. Both path forms of a call are the same. */
function digestOf({ requester, call, change, targetSha256 }: HeldChange): Buffer {
  const { organization_id: _, ...params } = call.input.params;
  const { query, headers } = call.input;
  const target = targetSha256?.toString('hex') ?? null;
  const { type, id, userId } = requester;
  const text = canonicalJson({
    requester: { type, id, userId },
    route: call.route,
    params,
    query,
    headers,
    body: call.shownBody,
    action: change.action,
    target,
  });
  return createHash('sha256').update(text).digest();
}

/** The organization is locked. */
async function requireRoom(tx: Transaction, organizationId: string): Promise<void> {
  const [found] = await prismaOf(tx).$queryRaw<{ pending: number }[]>(Prisma.sql`
    SELECT count(*)::int AS pending FROM approval_requests
    WHERE organization_id = ${organizationId} AND state = 'pending' AND expires_at > now()`);
  if ((found?.pending ?? 0) < PENDING_MAX) return;
  throw new GatewayError(
    'conflict',
    `An organization has at most ${String(PENDING_MAX)} pending approval requests: have some decided or cancelled first.`,
  );
}
