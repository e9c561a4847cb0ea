import { retryDelaySeconds } from '@svc/events';
import { withConsoleLinks } from '@svc/kernel';
import { type ClaimedMail, type EndedTry, type MailQueue } from '@svc/database';
import { MailError, type Mailer } from '@svc/http';
import { type Counter, type Logger } from '@svc/runtime/observability';

export interface MailParts {
  readonly queue: Pick<MailQueue, 'claim' | 'end'>;
  /** Null where no mail server is configured: mails are then skipped. */
  readonly mailer: Mailer | null;
  /** Links to the console begin with it, and its host is behind the @ of the Message-ID. */
  readonly baseUrl: string;
  readonly logger: Logger;
  readonly sent: Counter<'outcome'>;
}

/** Connections to the mail server at once. */
const BATCH = 10;
/** Seconds after each of the first five failures (docs/reference/alerts.md#mail). */
const RETRY_DELAYS_SECONDS = [30, 120, 600, 3_600, 14_400];
const TRIES_MAX = RETRY_DELAYS_SECONDS.length + 1;

/** Sends mails that are due (docs/reference/alerts.md#mail). One that is sent again has the same Message-ID. */
export async function sendMails(parts: MailParts): Promise<{ readonly more: boolean }> {
  const claimed = await parts.queue.claim(BATCH);
  await Promise.all(claimed.map((mail) => sendOne(parts, mail)));
  return { more: claimed.length === BATCH };
}

async function sendOne(parts: MailParts, mail: ClaimedMail): Promise<void> {
  const ended = await tryToSend(parts, mail);
  if (!(await parts.queue.end(mail, ended))) return;
  parts.sent.inc({ outcome: ended.status === 'queued' ? 'retried' : ended.status });
  if (ended.status === 'failed') parts.logger.warn({ mail: mail.id, error: ended.error }, 'mail not sent');
}

async function tryToSend(
  { mailer, baseUrl, logger }: MailParts,
  { id, to, subject, text, tries }: ClaimedMail,
): Promise<EndedTry> {
  if (mailer === null) return ended('skipped', 'not_configured');
  if (to === null) return ended('skipped', 'not_a_member');
  // Its last try was lost with the process that made it.
  if (tries > TRIES_MAX) return ended('failed', 'worker_lost');
  try {
    const messageId = `<${id}@${new URL(baseUrl).hostname}>`;
    await mailer.send({ to, subject, text: withConsoleLinks(text, baseUrl), messageId });
    return ended('sent', null);
  } catch (error) {
    logger.info({ err: error, mail: id }, 'the mail server did not take a mail');
    if (error instanceof MailError && error.isRefusal) return ended('failed', 'refused');
    const retryInSeconds = retryDelaySeconds(tries, RETRY_DELAYS_SECONDS);
    return { status: retryInSeconds === null ? 'failed' : 'queued', error: 'unavailable', retryInSeconds };
  }
}

const ended = (status: EndedTry['status'], error: string | null): EndedTry => ({
  status,
  error,
  retryInSeconds: null,
});
