import { type AuditLog, type Outbox, prismaOf, type Transaction } from '@svc/database';
import { type Export } from '@svc/database/rows';
import { recordEvent } from '@svc/events';
import { type NewId } from '@svc/kernel';
import { type ExportFailure } from '../rules/export-kinds';
import { type Stop } from './export-lease';

interface Enders {
  readonly auditLog: AuditLog;
  readonly outbox: Outbox;
  readonly newId: NewId;
}

/** Ends an export that may not go on, with its event or audit entry. @param row locked. */
export async function endExport(
  tx: Transaction,
  row: Export,
  stop: NonNullable<Stop>,
  { auditLog, outbox, newId }: Enders,
): Promise<void> {
  const { id, organizationId } = row;
  const failureCode: ExportFailure | null = stop.state === 'failed' ? stop.code : null;
  const [ended] = await prismaOf(tx).$queryRaw<{ at: Date }[]>`
    UPDATE exports SET state = ${stop.state}, failure_code = ${failureCode}, ended_at = clock_timestamp(), lease_until = NULL
    WHERE id = ${id} RETURNING ended_at AS at`;
  if (ended === undefined) throw new Error('An export that is locked is there');
  if (failureCode === null) {
    const actor = { type: 'system', id: null } as const;
    await auditLog.append(tx, {
      ...{ organizationId, actor, action: 'export.cancel', targetId: id, requestId: null },
      changes: { state: { from: row.state, to: 'cancelled' } },
    });
    return;
  }
  const data = { export_id: id, kind: row.kind, failure_code: failureCode };
  await outbox.append(
    tx,
    recordEvent(newId('event'), 'export.failed', organizationId, ended.at.getTime(), data),
  );
}
