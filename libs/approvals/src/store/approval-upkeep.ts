import { AuditLog, IS_DUE, type Database, prismaOf, type Transaction, UnitOfWork } from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { GatewayError, type Clock, type NewId } from '@svc/kernel';
import { systemClock, systemIds } from '@svc/runtime';
import { type ApprovalTrigger } from '../rules/request-states';
import { requesterIn } from './approval-request-record';
import { auditMove, decideRequest } from './end-request';
import { failRequest } from './fail-request';

/** How long the database may be in trouble before an approved request fails. */
const EXECUTION_HOURS_MAX = 24;
/** Until an unclaimed secret is wiped. */
const SECRET_HOURS_MAX = 72;
/** Requests that commit together. */
const BATCH = 50;

interface PendingRow {
  readonly id: string;
  readonly organizationId: string;
  readonly action: string;
  readonly targetId: string | null;
  readonly requesterType: string;
  readonly requesterId: string;
  readonly requesterUserId: string | null;
}

/** Moves requests on that a clock or the end of their requester moves. Any number of workers share the work. */
export class ApprovalUpkeep {
  /** Asks whether a request is open, or a secret waits to be claimed. */
  readonly isDue: () => Promise<boolean>;
  private readonly unitOfWork: UnitOfWork;
  private readonly auditLog: AuditLog;

  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
    private readonly clock: Clock = systemClock,
  ) {
    this.isDue = database.dueWork.of(
      `FROM approval_requests WHERE state = 'pending'`,
      `FROM approval_requests WHERE state = 'approved'`,
      `FROM approval_requests WHERE secret_state = 'available'`,
    );
    this.unitOfWork = new UnitOfWork(database);
    this.auditLog = new AuditLog(database, newId);
  }

  /** Expires pending requests that are due. @returns whether there may be more. */
  expire(): Promise<boolean> {
    return this.endPending('expire', Prisma.sql`r.expires_at <= clock_timestamp()`);
  }

  /** Cancels pending requests whose requester's membership or key has ended. @returns whether there may be more. */
  cancelOrphaned(): Promise<boolean> {
    return this.endPending(
      'cancel',
      Prisma.sql`(CASE WHEN r.requester_type = 'api_key'
        THEN NOT EXISTS (SELECT FROM api_keys k WHERE k.id = r.requester_id AND k.state = 'active'
          AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp()))
        ELSE NOT EXISTS (SELECT FROM members m WHERE m.organization_id = r.organization_id
          AND m.user_id = r.requester_user_id AND m.state = 'active') END)`,
    );
  }

  /** Fails approved requests that could not be executed for a day. @returns whether there may be more. */
  failStale(): Promise<boolean> {
    return this.unitOfWork.transaction(async (tx) => {
      const rows = await prismaOf(tx).$queryRaw<{ id: string; organizationId: string; fence: bigint }[]>`
        SELECT id, organization_id AS "organizationId", fence FROM approval_requests
        WHERE state = 'approved' AND ${Prisma.raw(IS_DUE)}
          AND (lease_until IS NULL OR lease_until <= clock_timestamp())
          AND decided_at <= clock_timestamp() - ${EXECUTION_HOURS_MAX} * interval '1 hour'
        ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
      const error = new GatewayError('internal', 'The change could not be made for 24 hours. Ask again.');
      for (const row of rows) await failRequest(tx, this.auditLog, row, error, row.fence);
      return rows.length === BATCH;
    });
  }

  /** Wipes secrets that nobody has claimed in time. */
  async wipeSecrets(): Promise<void> {
    await this.database.background.query(
      `UPDATE approval_requests SET secret_state = 'expired', secret_ciphertext = NULL, updated_at = now()
       WHERE secret_state = 'available' AND executed_at <= clock_timestamp() - $1 * interval '1 hour'`,
      [SECRET_HOURS_MAX],
    );
  }

  /** How many requests of all organizations wait. Each count reads the index of its state, whatever is kept beside it. */
  async countOpen(): Promise<Readonly<Record<'pending' | 'approved', number>>> {
    const { rows } = await this.database.background.query<{ pending: number; approved: number }>(
      `SELECT (SELECT count(*) FROM approval_requests WHERE state = 'pending')::int AS pending,
         (SELECT count(*) FROM approval_requests WHERE state = 'approved')::int AS approved`,
    );
    const [counted] = rows;
    if (counted === undefined) throw new Error('Counting returns a row');
    return counted;
  }

  private endPending(
    trigger: Extract<ApprovalTrigger, 'expire' | 'cancel'>,
    condition: Prisma.Sql,
  ): Promise<boolean> {
    return this.unitOfWork.transaction(async (tx) => {
      const rows = await prismaOf(tx).$queryRaw<PendingRow[]>`
        SELECT r.id, r.organization_id AS "organizationId", r.action, r.target_id AS "targetId",
          r.requester_type AS "requesterType", r.requester_id AS "requesterId", r.requester_user_id AS "requesterUserId"
        FROM approval_requests r WHERE r.state = 'pending' AND ${condition}
        ORDER BY r.expires_at LIMIT ${BATCH} FOR UPDATE OF r SKIP LOCKED`;
      for (const row of rows) await this.end(tx, row, trigger);
      return rows.length === BATCH;
    });
  }

  private async end(tx: Transaction, row: PendingRow, trigger: 'expire' | 'cancel'): Promise<void> {
    const request = { ...row, requester: requesterIn(row), state: 'pending' } as const;
    const parts = { newId: this.newId, nowMs: this.clock.now() };
    await decideRequest(tx, request, { trigger, decidedBy: null }, parts);
    const state = trigger === 'expire' ? 'expired' : 'cancelled';
    await auditMove(this.auditLog, tx, request, trigger, state);
  }
}
