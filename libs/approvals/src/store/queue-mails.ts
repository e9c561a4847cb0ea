import { prismaOf, type Transaction } from '@svc/database';

interface MailToMembers {
  readonly organizationId: string;
  readonly userIds: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/** Queues a mail to each of these active members. The dispatcher sends it. */
export async function queueMails(
  tx: Transaction,
  { organizationId, userIds, subject, text }: MailToMembers,
): Promise<void> {
  if (userIds.length === 0) return;
  await prismaOf(tx).$executeRaw`
    INSERT INTO mails (id, organization_id, member_id, subject, text)
    SELECT gen_random_uuid(), organization_id, id, ${subject}, ${text} FROM members
    WHERE organization_id = ${organizationId} AND state = 'active' AND user_id = ANY (${userIds}::text[])`;
}
