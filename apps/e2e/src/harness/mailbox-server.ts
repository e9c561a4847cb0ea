import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { workspaceRoot } from './app-process';
import { toolEnvironment } from './config';
import { startServers } from './real-servers';

const run = promisify(execFile);

/** A mail as the mail server stored it. */
export interface StoredMail {
  readonly messageId: string;
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly date: string;
  /** Of the SMTP session, as are the recipients. */
  readonly sender: string;
  readonly recipients: string;
  readonly text: string;
  /** Where the mail departs from the standards. */
  readonly defects: readonly string[];
}

/** A mail server of somebody else (`infra/local/servers/mail.mjs`), which takes mails over TLS only. */
export interface MailboxServer {
  readonly port: number;
  /** For services: the sender, and the certificate to trust. */
  readonly variables: Readonly<Record<string, string>>;
  /** How many mails it has stored. */
  count(): number;
  /** Those mails, the oldest first, as a parser of somebody else reads them. */
  mails(): Promise<readonly StoredMail[]>;
  remove(): Promise<void>;
}

export async function startMailboxServer(): Promise<MailboxServer> {
  const { folder, printedValue, remove } = await startServers('mail');
  const mails = join(folder, 'mail/mails');
  const reader = join(workspaceRoot, 'apps/e2e/src/harness/read-maildir.py');
  return {
    port: Number(new URL(printedValue('SVC_SMTP_URL')).port),
    variables: Object.fromEntries(
      ['SVC_MAIL_FROM', 'NODE_EXTRA_CA_CERTS'].map((name) => [name, printedValue(name)]),
    ),
    count: () => readdirSync(join(mails, 'new')).length,
    mails: async () => {
      const { stdout } = await run('python3', ['-B', reader, mails], { env: toolEnvironment({}) });
      return JSON.parse(stdout) as StoredMail[];
    },
    remove,
  };
}
