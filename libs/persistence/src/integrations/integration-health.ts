import { healthAfter, isEnabledState, type EndpointHealth } from '@svc/events';
import { type IntegrationKind } from '@svc/integrations';
import { systemIds } from '@svc/platform';
import { AuditLog } from '../audit/audit-log';
import { type Database } from '../database/database';
import { prismaOf, type Transaction, UnitOfWork } from '../database/unit-of-work';

/** An integration that a transaction has locked. */
export interface LockedIntegration extends EndpointHealth {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: IntegrationKind;
  readonly name: string;
  readonly isDeleted: boolean;
  /** The database's time. */
  readonly now: Date;
}

/** The health of integrations whose receivers are not sent deliveries, but telemetry. */
export class IntegrationHealth {
  private readonly unitOfWork: UnitOfWork;
  private readonly auditLog: AuditLog;

  constructor(database: Database, newId = systemIds) {
    this.unitOfWork = new UnitOfWork(database);
    this.auditLog = new AuditLog(database, newId);
  }

  /**
   * Notes how a try to send telemetry ended: 10 failures in a row are `failing`, 25 disable the integration, a success
   * clears them (docs/reference/integrations.md#states).
   * @returns whether this failure disabled it.
   */
  note(integrationId: string, outcome: 'acknowledged' | 'failed'): Promise<boolean> {
    return this.unitOfWork.transaction(async (tx) => {
      const integration = await lockIntegration(tx, integrationId);
      if (integration === null) return false;
      const change = healthAfter(integration, outcome, 'telemetry');
      await noteHealth(tx, this.auditLog, integration, change, outcome === 'acknowledged');
      return change.isNowDisabled;
    });
  }
}

/** Locks an integration, deleted ones too, until the transaction ends. */
export async function lockIntegration(tx: Transaction, id: string): Promise<LockedIntegration | null> {
  // Adds a millisecond, because times are stored in whole milliseconds and nothing may be due before its delay is over.
  const [row] = await prismaOf(tx).$queryRaw<LockedIntegration[]>`
    SELECT id, organization_id AS "organizationId", kind, name, state,
      consecutive_failures AS "consecutiveFailures", deleted_at IS NOT NULL AS "isDeleted",
      date_trunc('milliseconds', clock_timestamp()) + interval '1 ms' AS now
    FROM integrations WHERE id = ${id} FOR NO KEY UPDATE`;
  return row ?? null;
}

/** Writes the health of a locked integration. One that is disabled by it is told in the audit log and to the owners. */
export async function noteHealth(
  tx: Transaction,
  auditLog: AuditLog,
  integration: LockedIntegration,
  { health, isNowDisabled }: ReturnType<typeof healthAfter>,
  isSuccess: boolean,
): Promise<void> {
  const { state, consecutiveFailures } = health;
  const isSame = state === integration.state && consecutiveFailures === integration.consecutiveFailures;
  if (isSame && !isSuccess) return;
  await prismaOf(tx).$executeRaw`UPDATE integrations SET state = ${state}, enabled = ${isEnabledState(state)},
      disabled_reason = ${state === 'disabled' ? 'consecutive_failures' : null},
      consecutive_failures = ${consecutiveFailures},
      last_success_at = CASE WHEN ${isSuccess} THEN ${integration.now} ELSE last_success_at END,
      updated_at = CASE WHEN state = ${state} THEN updated_at ELSE now() END
    WHERE id = ${integration.id}`;
  if (!isNowDisabled || integration.isDeleted) return;
  await auditLog.append(tx, {
    organizationId: integration.organizationId,
    actor: { type: 'system', id: null },
    action: 'integration.disable',
    targetId: integration.id,
    changes: {
      state: { from: integration.state, to: state },
      disabled_reason: { from: null, to: 'consecutive_failures' },
    },
    requestId: null,
  });
  await mailOwners(tx, integration, consecutiveFailures);
}

async function mailOwners(
  tx: Transaction,
  { id, organizationId, kind, name }: LockedIntegration,
  failures: number,
): Promise<void> {
  const subject = `[Svc] Integration disabled: ${name}`;
  const text = `The integration "${name}" (${kind}) was disabled after ${String(failures)} failures in a row. What is meant for it waits up to 30 days. Enable it again once its receiver answers.\n\nIntegration: ${id}\n`;
  await prismaOf(tx).$executeRaw`
    INSERT INTO mails (id, organization_id, member_id, subject, text)
    SELECT gen_random_uuid(), organization_id, id, ${subject}, ${text} FROM members
    WHERE organization_id = ${organizationId} AND state = 'active' AND role = 'owner'`;
}
