import { type SMTPTransportOptions } from 'nodemailer';

/** A letter to one mailbox, as plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** @throws MailError when the mail server did not take it. */
  send(mail: Mail): Promise<void>;
}

export interface MailerOptions {
  /** `smtp://` (upgraded to TLS where the server offers it) or `smtps://`, with user and password where they are needed. */
  readonly smtpUrl: string;
  /** The address that mail comes from. */
  readonly from: string;
  /** For each step of the conversation; whoever caused the mail waits for it. */
  readonly timeoutMs?: number;
}

/**
 * A mail was not taken. It says what failed, as nodemailer's code and the server's status: never the server's own words,
 * which may quote the mail.
 */
export class MailError extends Error {
  override readonly name = 'MailError';
}

const TIMEOUT_MS = 5_000;

/** Sends by SMTP, one connection a mail. */
export async function openMailer({ smtpUrl, from, timeoutMs = TIMEOUT_MS }: MailerOptions): Promise<Mailer> {
  // Loaded where mail is sent only: it takes a tenth of a second.
  const { createTransport } = await import('nodemailer');
  const options: SMTPTransportOptions = {
    url: smtpUrl,
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  const transport = createTransport(options, { from });
  return {
    send: async ({ to, subject, text }) => {
      try {
        await transport.sendMail({ to: { name: '', address: to }, subject, text });
      } catch (error) {
        throw new MailError(failureIn(error));
      }
    },
  };
}

function failureIn(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return `The mail was not sent: ${code ?? 'unknown failure'}${responseCode === undefined ? '' : ` (${String(responseCode)})`}`;
}
