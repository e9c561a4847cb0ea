import {
  AuditLog,
  type Database,
  LeasedWork,
  LeaseLostError,
  prismaOf,
  type Transaction,
  UnitOfWork,
} from '@svc/database';
import { GatewayError, type NewId } from '@svc/kernel';
import { systemIds, type Sealer } from '@svc/runtime';
import { type Logger } from '@svc/runtime/observability';
import {
  type ApprovedCall,
  type ApprovedCallQueue,
  type CallInput,
  type ExecutedAnswer,
  type Execution,
  type RequesterStanding,
} from '../rules/gated-call';
import { type AuditedChange } from '../rules/gating-policies';
import { stateAfter } from '../rules/request-states';
import { targetDigest } from '../rules/target-digest';
import { approvedAnswerContext, approvedCallContext, requesterIn } from '../store/approval-request-record';
import { auditMove } from '../store/end-request';
import { failRequest } from '../store/fail-request';
import { asExecution, type OpenExecution } from '../store/open-execution';
import { standingOf } from '../store/requester';

interface ExecutionsOptions {
  readonly database: Database;
  /** Opens the calls, and seals the answers with a secret. */
  readonly sealer: Sealer;
  readonly logger: Logger;
  /** Called with the seconds from the approval to the end of the request. */
  readonly onEnd?: (seconds: number) => void;
  readonly newId?: NewId;
  readonly leaseMs?: number;
}

const REQUESTS = {
  table: 'approval_requests',
  what: 'the request',
  where: `due.state = 'approved' AND due.route = ANY ($3)`,
};
/** From a failed try to the next. What has ended meanwhile is not due. */
const AFTER_A_PAUSE = `due_at = CASE WHEN state = 'approved' THEN clock_timestamp() + interval '5 s' END`;

interface LockedRow {
  readonly state: string;
  readonly action: string;
  readonly targetId: string | null;
  readonly targetSha256: Uint8Array | null;
}

/**
 * Makes approved calls, each once (docs/decisions/0039). Any number of processes share the work; the database's clock
 * decides what is due.
 */
export class ApprovalExecutions implements ApprovedCallQueue {
  private readonly unitOfWork: UnitOfWork;
  private readonly auditLog: AuditLog;
  private readonly leases: LeasedWork;

  constructor(private readonly options: ExecutionsOptions) {
    this.leases = new LeasedWork(options.database, REQUESTS, options.leaseMs);
    this.unitOfWork = new UnitOfWork(options.database);
    this.auditLog = new AuditLog(options.database, options.newId ?? systemIds);
  }

  isDue(): Promise<boolean> {
    return this.leases.isDue();
  }

  async claim(routes: readonly string[]): Promise<ApprovedCall | null> {
    const { database, sealer } = this.options;
    const claim = await this.leases.claimOne([routes]);
    if (claim === null) return null;
    const { id, fence } = claim;
    const row = await database.prisma.approvalRequest.findFirst({ where: { id, fence, state: 'approved' } });
    if (row?.callCiphertext == null) return null;
    const { organizationId, requestId, route } = row;
    const opened = sealer.open(row.callCiphertext, approvedCallContext(id));
    const input = JSON.parse(opened.toString()) as CallInput;
    return { id, organizationId, requester: requesterIn(row), requestId, route, input, fence };
  }

  async execute(
    call: ApprovedCall,
    make: (execution: Execution, standing: RequesterStanding) => Promise<ExecutedAnswer>,
  ): Promise<void> {
    try {
      const effects = await this.unitOfWork.transaction((tx) => this.executeIn(tx, call, make));
      for (const effect of effects) await effect();
    } catch (error) {
      await this.recordFailure(call, GatewayError.from(error));
    }
  }

  /** @returns what is to be done after the commit; nothing where another claim has taken over. */
  private async executeIn(
    tx: Transaction,
    call: ApprovedCall,
    make: (execution: Execution, standing: RequesterStanding) => Promise<ExecutedAnswer>,
  ): Promise<OpenExecution['effects']> {
    const request = await this.lockApproved(tx, call);
    if (request === null) return [];
    const standing = await standingOf(tx, call.organizationId, call.requester);
    const open: OpenExecution = { approvalRequestId: call.id, tx, changes: [], effects: [] };
    const answer = await make(asExecution(open), standing);
    const change = open.changes.findLast(({ action }) => action === request.action);
    requireSameTarget(request, change, targetDigest(open.changes));
    await this.finish(tx, call, answer, change?.targetId ?? null);
    await auditMove(this.auditLog, tx, { ...call, state: 'approved' }, 'execute', 'executed');
    return open.effects;
  }

  /** Null where the request was executed, or another claim has taken over. */
  private async lockApproved(tx: Transaction, call: ApprovedCall): Promise<LockedRow | null> {
    try {
      const row = await this.leases.lock<LockedRow>(tx, call, LOCKED);
      return row.state === 'approved' ? row : null;
    } catch (error) {
      if (error instanceof LeaseLostError) return null;
      throw error;
    }
  }

  private async finish(
    tx: Transaction,
    { id }: ApprovedCall,
    { status, body, hasSecret }: ExecutedAnswer,
    targetId: string | null,
  ): Promise<void> {
    const { sealer, onEnd } = this.options;
    const state = stateAfter('approved', 'execute');
    const sealed = hasSecret
      ? sealer.seal(Buffer.from(JSON.stringify(body)), approvedAnswerContext(id))
      : null;
    const [row] = await prismaOf(tx).$queryRaw<{ seconds: number }[]>`
      UPDATE approval_requests SET state = ${state}, executed_at = clock_timestamp(), ended_at = clock_timestamp(),
        updated_at = now(), due_at = NULL, lease_until = NULL, call_ciphertext = NULL, result_status = ${status},
        result_target_id = ${targetId}, secret_ciphertext = ${sealed},
        secret_state = ${hasSecret ? 'available' : 'none'}
      WHERE id = ${id} RETURNING extract(epoch FROM clock_timestamp() - decided_at)::float8 AS seconds`;
    if (row !== undefined) onEnd?.(row.seconds);
  }

  /** A refusal ends the request. Anything else may pass, and is tried again until the worker gives up. */
  private async recordFailure(call: ApprovedCall, error: GatewayError): Promise<void> {
    const { logger, onEnd } = this.options;
    if (error.definition.status >= 500) {
      logger.error(
        { err: error, approval_request_id: call.id },
        'approved change not made; it is tried again',
      );
      await this.leases.giveBack(call, AFTER_A_PAUSE);
      return;
    }
    const seconds = await this.unitOfWork.transaction((tx) =>
      failRequest(tx, this.auditLog, call, error, call.fence),
    );
    if (seconds !== null) onEnd?.(seconds);
  }
}

const LOCKED = `state, action, target_id AS "targetId", target_sha256 AS "targetSha256"`;

/** @throws GatewayError `targetChanged` where the call would now change something else than was approved. */
function requireSameTarget(
  { targetId, targetSha256 }: LockedRow,
  change: AuditedChange | undefined,
  digest: Buffer | null,
): asserts change {
  const isSame =
    change !== undefined &&
    (targetId === null || targetId === change.targetId) &&
    (targetSha256 === null ? digest === null : digest?.equals(targetSha256) === true);
  if (isSame) return;
  throw new GatewayError('targetChanged', 'The target has changed since the request was made. Ask again.');
}
