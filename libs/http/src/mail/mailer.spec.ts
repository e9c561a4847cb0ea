import { acceptMail, startMailServer, type MailServer } from '@svc/testing';
import { MailError, openMailer, type Mail } from './mailer';

const mail: Mail = {
  to: 'ada@example.com',
  subject: 'Invitation to Äcme',
  text: 'Open https://svc.example/auth/invitations/svc_inv_secret\n',
};

let server: MailServer | undefined;
afterEach(() => server?.close());

describe('the mailer', () => {
  it('sends a mail from the service to one recipient', async () => {
    server = await startMailServer();
    const { url } = server;
    const mailer = await openMailer({ smtpUrl: () => url, from: 'no-reply@svc.example' });

    await mailer.send(mail);

    expect(server.heard).toEqual(
      expect.arrayContaining([
        'MAIL FROM:<no-reply@svc.example>',
        'RCPT TO:<ada@example.com>',
        'From: no-reply@svc.example',
        'To: ada@example.com',
        'Subject: =?UTF-8?Q?Invitation_to_=C3=84cme?=',
        'Open https://svc.example/auth/invitations/svc_inv_secret',
      ]),
    );
  });

  it('logs in with the user and the password of its URL', async () => {
    server = await startMailServer((command) =>
      command.startsWith('EHLO')
        ? '250-mail.example\r\n250 AUTH PLAIN'
        : command.startsWith('AUTH')
          ? '235 Welcome'
          : acceptMail(command),
    );
    const smtpUrl = server.url.replace('smtp://', 'smtp://svc:p%40ss@');

    await (await openMailer({ smtpUrl: () => smtpUrl, from: 'no-reply@svc.example' })).send(mail);

    expect(server.heard).toContain(`AUTH PLAIN ${Buffer.from('\0svc\0p@ss').toString('base64')}`);
  });

  it.each([
    ['refuses the recipient', 'RCPT', '550 5.1.1 svc_inv_secret: no such mailbox', /EENVELOPE \(550\)/],
    ['refuses the mail', 'mail', '554 5.7.1 svc_inv_secret looks like spam', /EMESSAGE \(554\)/],
  ])('says so when the server %s, and not what it said', async (_, refused, answer, told) => {
    server = await startMailServer((command) => (command.startsWith(refused) ? answer : acceptMail(command)));
    const { url } = server;
    const mailer = await openMailer({ smtpUrl: () => url, from: 'no-reply@svc.example' });

    const failure: unknown = await mailer.send(mail).catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(MailError);
    expect(String(failure)).toMatch(told);
    expect((failure as Error).stack).not.toContain('svc_inv_secret');
    expect((failure as Error).cause).toBeUndefined();
  });

  it('sends to the server that is named when the mail is sent', async () => {
    const started = await startMailServer();
    server = started;
    let url = started.url.replace(/:\d+$/, ':1');
    const mailer = await openMailer({ smtpUrl: () => url, from: 'no-reply@svc.example' });
    await expect(mailer.send(mail)).rejects.toThrow();
    url = started.url;
    await expect(mailer.send(mail)).resolves.toBeUndefined();
  });

  it('reports a refused connection', async () => {
    server = await startMailServer();
    const { url } = server;
    await server.close();
    const mailer = await openMailer({ smtpUrl: () => url, from: 'no-reply@svc.example' });
    await expect(mailer.send(mail)).rejects.toThrow(/ESOCKET|ECONNECTION/);
  });

  it.each([
    ['does not greet', null, ''],
    ['falls silent', 'MAIL', '220 mail.example\r\n'],
  ])('gives up on a server that %s', async (_, silentAt, greeting) => {
    server = await startMailServer(
      (command) => (silentAt !== null && command.startsWith(silentAt) ? null : acceptMail(command)),
      greeting,
    );
    const { url } = server;
    const mailer = await openMailer({
      smtpUrl: () => url,
      from: 'no-reply@svc.example',
      timeoutMs: 100,
    });
    await expect(mailer.send(mail)).rejects.toBeInstanceOf(MailError);
  });
});
