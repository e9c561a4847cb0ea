import { type AuditLog, changedFields, Outbox, prismaOf, type Transaction } from '@svc/database';
import { recordEvent, type EventData } from '@svc/events';
import { type Actor, type NewId } from '@svc/kernel';
import { type Requester } from '../rules/gated-call';
import { type ApprovalState, type ApprovalTrigger, stateAfter } from '../rules/request-states';

interface ToldRequest {
  readonly id: string;
  readonly action: string;
  readonly targetId: string | null;
  readonly requester: Requester;
}

/** The `data` of the events of a request. They name a user or a key. */
export const eventFields = ({
  id,
  action,
  targetId,
  requester,
}: ToldRequest): EventData['approval.requested'] => ({
  approval_request_id: id,
  action,
  target_id: targetId,
  requested_by: requester.type === 'api_key' ? requester.id : (requester.userId ?? requester.id),
});

interface EndingRequest extends ToldRequest {
  readonly organizationId: string;
  readonly state: ApprovalState;
}

/** How a request leaves `pending`, and who made it. */
interface Ending {
  readonly trigger: Extract<ApprovalTrigger, 'approve' | 'reject' | 'cancel' | 'expire'>;
  /** The user who decided last; null where no person did. */
  readonly decidedBy: string | null;
}

/**
 * Moves a locked pending request on, and announces the decision. An approved one is due at once; the call of any other
 * is wiped.
 */
export async function decideRequest(
  tx: Transaction,
  request: EndingRequest,
  { trigger, decidedBy }: Ending,
  { newId, nowMs }: { readonly newId: NewId; readonly nowMs: number },
): Promise<void> {
  const state = stateAfter(request.state, trigger);
  if (state === null) throw new Error(`A request that is ${request.state} cannot ${trigger}`);
  const decision = state as EventData['approval.decided']['decision'];
  await prismaOf(tx).$executeRaw`
    UPDATE approval_requests SET state = ${state}, decided_at = now(), decided_by = ${decidedBy}, updated_at = now(),
      due_at = CASE WHEN ${state} = 'approved' THEN now() END,
      ended_at = CASE WHEN ${state} <> 'approved' THEN now() END,
      call_ciphertext = CASE WHEN ${state} = 'approved' THEN call_ciphertext END
    WHERE id = ${request.id} AND state = 'pending'`;
  const data = { ...eventFields(request), decision, decided_by: decidedBy };
  const event = recordEvent(newId('event'), 'approval.decided', request.organizationId, nowMs, data);
  await new Outbox().append(tx, event);
}

/** The audit entry of a request that the service itself moved on. */
export const auditMove = (
  auditLog: AuditLog,
  tx: Transaction,
  request: Pick<EndingRequest, 'id' | 'organizationId' | 'state'>,
  verb: 'cancel' | 'expire' | 'execute',
  to: ApprovalState,
): Promise<void> =>
  auditLog.append(tx, {
    organizationId: request.organizationId,
    actor: SYSTEM,
    action: `approval_request.${verb}`,
    targetId: request.id,
    changes: changedFields({ state: request.state }, { state: to }),
    requestId: null,
  });

const SYSTEM: Actor = { type: 'system', id: null };
