import { AuditLog, type Database, prismaOf, type Transaction } from '@svc/database';
import { type NewId } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { afterFailedCharge, disabledMail, type DisabledReason } from '../rules/auto-top-up';

/** Ends of automatic top-ups by charges, disputes and deletions. Each runs in the transaction of its cause. */
export class AutoTopUpEnds {
  private readonly auditLog: AuditLog;

  constructor(database: Database, newId: NewId = systemIds) {
    this.auditLog = new AuditLog(database, newId);
  }

  /** A charge succeeded: earlier failures count no more. */
  async succeeded(tx: Transaction, organizationId: string): Promise<void> {
    await prismaOf(tx).$executeRaw`
      UPDATE auto_top_ups SET failures = 0, retry_at = NULL WHERE organization_id = ${organizationId}`;
  }

  async failed(tx: Transaction, organizationId: string, failureCode: string): Promise<void> {
    const prisma = prismaOf(tx);
    const [row] = await prisma.$queryRaw<{ failures: number }[]>`
      UPDATE auto_top_ups SET failures = failures + 1 WHERE organization_id = ${organizationId} RETURNING failures`;
    if (row === undefined) return;
    const { pauseMs, disabledReason } = afterFailedCharge(row.failures, failureCode);
    await prisma.$executeRaw`
      UPDATE auto_top_ups SET retry_at = now() + ${pauseMs}::int * interval '1 ms'
      WHERE organization_id = ${organizationId}`;
    if (disabledReason !== null) await this.disable(tx, organizationId, disabledReason);
  }

  /** Switches it off where it charges a card that is no more. */
  async methodDeleted(tx: Transaction, organizationId: string, paymentMethodId: string): Promise<void> {
    // A change of the settings waits for this row, and then no longer finds the card.
    const charged = await prismaOf(tx).$queryRaw<object[]>`
      SELECT FROM auto_top_ups
      WHERE organization_id = ${organizationId} AND payment_method_id = ${paymentMethodId} AND enabled
      FOR NO KEY UPDATE`;
    if (charged.length > 0) await this.disable(tx, organizationId, 'payment_method_deleted');
  }

  /** Switches it off, with a mail to the owner and finance. Does nothing where it is off. */
  async disable(tx: Transaction, organizationId: string, reason: DisabledReason): Promise<void> {
    const prisma = prismaOf(tx);
    const disabled = await prisma.$executeRaw`
      UPDATE auto_top_ups SET enabled = false, disabled_reason = ${reason}, updated_at = now()
      WHERE organization_id = ${organizationId} AND enabled`;
    if (disabled === 0) return;
    const author = { organizationId, actor: { type: 'system', id: null }, requestId: null } as const;
    const changes = { enabled: { from: true, to: false }, disabled_reason: { from: null, to: reason } };
    await this.auditLog.append(tx, {
      ...author,
      action: 'auto_top_up.disable',
      targetId: organizationId,
      changes,
    });
    const { subject, text } = disabledMail(reason);
    await prisma.$executeRaw`
      INSERT INTO mails (id, organization_id, member_id, subject, text)
      SELECT gen_random_uuid(), organization_id, id, ${subject}, ${text} FROM members
      WHERE organization_id = ${organizationId} AND state = 'active' AND role IN ('owner', 'finance')`;
  }
}
