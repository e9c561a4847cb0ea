import { prismaOf, type Transaction } from '@svc/database';
import { type Prisma } from '@svc/database/rows';
import { type QueuedNotices } from './alert-rule-store';

/** One mail or message about an alert, or about a test. */
export interface NotificationRecord {
  /** `email` for a mail that the rule itself sends, else the kind of the integration. */
  readonly channel: string;
  /** The id of the member or of the integration. */
  readonly target: string;
  readonly status: 'queued' | 'sent' | 'failed' | 'skipped';
  readonly error: string | null;
  readonly at: Date;
}

type AlertNotification = NotificationRecord & { readonly alertId: string | null };

/** The messages that a test queued, as they stand now. */
export async function notificationsOf(
  tx: Transaction,
  { mailIds, deliveryIds }: QueuedNotices,
): Promise<readonly NotificationRecord[]> {
  const prisma = prismaOf(tx);
  return [
    ...(await readMails(prisma, { id: { in: [...mailIds] } })),
    ...(await readMessages(prisma, { id: { in: [...deliveryIds] } })),
  ];
}

/** All mails and messages about these alerts, the oldest first, mails before messages. */
export async function notificationsAbout(
  prisma: Prisma.TransactionClient,
  where: { readonly alertId: { readonly in: string[] } },
): Promise<readonly AlertNotification[]> {
  return [...(await readMails(prisma, where)), ...(await readMessages(prisma, where))];
}

async function readMails(
  prisma: Prisma.TransactionClient,
  where: Prisma.MailWhereInput,
): Promise<readonly AlertNotification[]> {
  const rows = await prisma.mail.findMany({
    where,
    select: { alertId: true, memberId: true, status: true, error: true, updatedAt: true },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ alertId, memberId, status, error, updatedAt }) => ({
    alertId,
    channel: 'email',
    target: memberId,
    status: status as NotificationRecord['status'],
    error,
    at: updatedAt,
  }));
}

const statuses: Readonly<Record<string, NotificationRecord['status']>> = {
  queued: 'queued',
  // It is tried again.
  failed: 'queued',
  succeeded: 'sent',
  dead: 'failed',
};

async function readMessages(
  prisma: Prisma.TransactionClient,
  where: Prisma.IntegrationDeliveryWhereInput,
): Promise<readonly AlertNotification[]> {
  const rows = await prisma.integrationDelivery.findMany({
    where,
    select: {
      alertId: true,
      integrationId: true,
      status: true,
      updatedAt: true,
      integration: { select: { kind: true } },
      attempts: {
        select: { statusCode: true, error: true },
        orderBy: [{ round: 'desc' }, { attempt: 'desc' }],
        take: 1,
      },
    },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ alertId, integrationId, status, updatedAt, integration, attempts: [last] }) => ({
    alertId,
    channel: integration.kind,
    target: integrationId,
    status: statuses[status] ?? 'queued',
    error:
      status === 'succeeded' || last === undefined ? null : (last.error ?? `http_${String(last.statusCode)}`),
    at: updatedAt,
  }));
}
