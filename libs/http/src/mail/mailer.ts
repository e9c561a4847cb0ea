import { type SMTPTransportOptions } from 'nodemailer';

/** A plain-text mail to one mailbox. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** `<…@…>`; a mail that may be sent again has one of its own. */
  readonly messageId?: string;
}

export interface Mailer {
  /** @throws MailError when the mail server did not accept it. */
  send(mail: Mail): Promise<void>;
}

interface MailerOptions {
  /** `smtp://` (upgraded to TLS where the server offers it) or `smtps://`, with user and password if needed. */
  readonly smtpUrl: () => string;
  /** The sender's address. */
  readonly from: string;
  /** For each step of the SMTP session. The caller waits for it. */
  readonly timeoutMs?: number;
}

/**
 * A mail was not accepted. The message has nodemailer's code and the server's status, never the server's text, which
 * may quote the mail.
 */
export class MailError extends Error {
  override readonly name = 'MailError';

  /** @param isRefusal whether the server refused this mail for good: sent again, it would be refused again. */
  constructor(
    message: string,
    readonly isRefusal = false,
  ) {
    super(message);
  }
}

const TIMEOUT_MS = 5_000;

/** Sends by SMTP, with one connection per mail, to the server that is named at that time. */
export async function openMailer({ smtpUrl, from, timeoutMs = TIMEOUT_MS }: MailerOptions): Promise<Mailer> {
  // Loaded only where mail is sent, because loading takes a tenth of a second.
  const { createTransport } = await import('nodemailer');
  const options: Omit<SMTPTransportOptions, 'url'> = {
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return {
    send: async ({ to, ...mail }) => {
      try {
        const transport = createTransport({ ...options, url: smtpUrl() }, { from });
        await transport.sendMail({ to: { name: '', address: to }, ...mail });
      } catch (error) {
        throw failureIn(error);
      }
    },
  };
}

interface MailVariables {
  readonly SVC_SMTP_URL?: string | undefined;
  readonly SVC_MAIL_FROM?: string | undefined;
}

/**
 * The mailer that a service's variables describe.
 * @param current the variables as they are now: the server may be replaced while the service runs.
 * @returns null where no mail is sent.
 */
export async function openConfiguredMailer(current: () => MailVariables): Promise<Mailer | null> {
  const { SVC_SMTP_URL: smtpUrl, SVC_MAIL_FROM: from } = current();
  if (smtpUrl === undefined || from === undefined) return null;
  return openMailer({ smtpUrl: () => current().SVC_SMTP_URL ?? smtpUrl, from });
}

function failureIn(error: unknown): MailError {
  const { code = 'unknown failure', responseCode } = error as { code?: string; responseCode?: number };
  const status = responseCode === undefined ? '' : ` (${String(responseCode)})`;
  // RFC 5321, 4.2.1: 5yz is permanent. A failed log-in has such a status too, and says nothing of the mail.
  const isRefusal = ['EENVELOPE', 'EMESSAGE'].includes(code) && (responseCode ?? 0) >= 500;
  return new MailError(`The mail was not sent: ${code}${status}`, isRefusal);
}
