import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { answers } from './background.mjs';
import { installPackages, isOnPath } from './programs.mjs';

const certificateIn = (folder) => join(folder, 'certificate.pem');
const keyIn = (folder) => join(folder, 'key.pem');

/** aiosmtpd: takes mails after STARTTLS only, and stores them in a Maildir, each before it answers. */
export const mail = {
  name: 'mail',
  portCount: 1,
  stopSignal: 'SIGTERM',
  killSignal: 'SIGKILL',

  install: () =>
    installPackages([
      ...(isOnPath('aiosmtpd') ? [] : ['python3-aiosmtpd']),
      ...(isOnPath('openssl') ? [] : ['openssl']),
    ]),

  prepare(folder, [port]) {
    mkdirSync(folder, { recursive: true });
    if (!existsSync(certificateIn(folder))) makeCertificate(folder);
    const args = ['--nosetuid', '--listen', `127.0.0.1:${port}`];
    args.push('--tlscert', certificateIn(folder), '--tlskey', keyIn(folder));
    // The handler makes this folder, as a Maildir, only where it does not exist.
    args.push('--class', 'aiosmtpd.handlers.Mailbox', join(folder, 'mails'));
    return { program: 'aiosmtpd', args };
  },

  isReady: (_folder, [port]) => answers(port),
  variables: ([port], folder) => ({
    SVC_SMTP_URL: `smtp://127.0.0.1:${port}`,
    SVC_MAIL_FROM: 'no-reply@svc.example',
    NODE_EXTRA_CA_CERTS: certificateIn(folder),
  }),
};

function makeCertificate(folder) {
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '30',
  ];
  args.push('-subj', '/CN=mail', '-addext', 'subjectAltName=IP:127.0.0.1');
  args.push('-keyout', keyIn(folder), '-out', certificateIn(folder));
  execFileSync('openssl', args, { stdio: 'ignore' });
}
