import { type Database } from '@svc/database';

/** A message of an integration of kind `email`. */
interface IntegrationMail {
  readonly deliveryId: string;
  /** A delivery that is sent again by hand is mailed again. */
  readonly round: number;
  readonly organizationId: string;
  readonly memberIds: readonly string[];
  readonly roles: readonly string[];
  readonly subject: string;
  readonly text: string;
}

/**
 * Queues a mail to each active member that is named or has a named role. A repeat queues nothing again: the ids of the
 * mails are made of the delivery's round and the member's id.
 * @returns how many members are told.
 */
export async function queueIntegrationMails({ pool }: Database, mail: IntegrationMail): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'queue_integration_mails',
    text: `WITH recipients AS (
        SELECT id FROM members
        WHERE organization_id = $1 AND state = 'active' AND (id = ANY ($2) OR role = ANY ($3))
      ), queued AS (
        INSERT INTO mails (id, organization_id, member_id, subject, text)
        SELECT md5($4 || '/' || id)::uuid, $1, id, $5, $6 FROM recipients
        ON CONFLICT DO NOTHING
      )
      SELECT count(*)::int AS count FROM recipients`,
    values: [
      mail.organizationId,
      mail.memberIds,
      mail.roles,
      `${mail.deliveryId}/${String(mail.round)}`,
      mail.subject,
      mail.text,
    ],
  });
  return rows[0]?.count ?? 0;
}
