import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { MailError, openMailer, type Mail } from './mailer';

/** What a mail server was told, and what it says to each command: silence where it says nothing. */
interface MailServer {
  readonly url: string;
  readonly heard: string[];
  close(): Promise<void>;
}

type Reply = (command: string) => string | null;

const friendly: Reply = (command) => {
  if (command.startsWith('EHLO')) return '250 mail.example';
  if (command.startsWith('DATA')) return '354 Go on';
  return command.startsWith('QUIT') ? '221 Bye' : '250 OK';
};

/** Holds the conversation of RFC 5321 as far as sending one mail goes. */
async function startMailServer(reply: Reply, greeting = '220 mail.example\r\n'): Promise<MailServer> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    let inMail = false;
    let rest = '';
    socket.on('error', () => undefined);
    socket.write(greeting);
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString()).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        heard.push(line);
        if (inMail && line !== '.') continue;
        const answer = reply(inMail ? 'mail' : line);
        inMail = answer?.startsWith('354') ?? false;
        if (answer !== null) socket.write(`${answer}\r\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    heard,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const mail: Mail = {
  to: 'ada@example.com',
  subject: 'Invitation to Äcme',
  text: 'Open https://svc.example/auth/invitations/svc_inv_secret\n',
};

let server: MailServer | undefined;
afterEach(() => server?.close());

describe('the mailer', () => {
  it('hands a mail to the mail server, from us, to one recipient', async () => {
    server = await startMailServer(friendly);
    const mailer = await openMailer({ smtpUrl: server.url, from: 'no-reply@svc.example' });

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

  it('shows the user and the password of its URL', async () => {
    server = await startMailServer((command) =>
      command.startsWith('EHLO')
        ? '250-mail.example\r\n250 AUTH PLAIN'
        : command.startsWith('AUTH')
          ? '235 Welcome'
          : friendly(command),
    );
    const smtpUrl = server.url.replace('smtp://', 'smtp://svc:p%40ss@');

    await (await openMailer({ smtpUrl, from: 'no-reply@svc.example' })).send(mail);

    expect(server.heard).toContain(`AUTH PLAIN ${Buffer.from('\0svc\0p@ss').toString('base64')}`);
  });

  it.each([
    ['refuses the recipient', 'RCPT', '550 5.1.1 svc_inv_secret: no such mailbox', /EENVELOPE \(550\)/],
    ['refuses the mail', 'mail', '554 5.7.1 svc_inv_secret looks like spam', /EMESSAGE \(554\)/],
  ])('says so when the server %s, and not what it said', async (_, refused, answer, told) => {
    server = await startMailServer((command) => (command.startsWith(refused) ? answer : friendly(command)));
    const mailer = await openMailer({ smtpUrl: server.url, from: 'no-reply@svc.example' });

    const failure: unknown = await mailer.send(mail).catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(MailError);
    expect(String(failure)).toMatch(told);
    expect((failure as Error).stack).not.toContain('svc_inv_secret');
    expect((failure as Error).cause).toBeUndefined();
  });

  it('says so when nobody listens', async () => {
    server = await startMailServer(friendly);
    const { url } = server;
    await server.close();
    const mailer = await openMailer({ smtpUrl: url, from: 'no-reply@svc.example' });
    await expect(mailer.send(mail)).rejects.toThrow(/ESOCKET|ECONNECTION/);
  });

  it.each([
    ['does not greet', null, ''],
    ['falls silent', 'MAIL', '220 mail.example\r\n'],
  ])('gives up on a server that %s', async (_, silentAt, greeting) => {
    server = await startMailServer(
      (command) => (silentAt !== null && command.startsWith(silentAt) ? null : friendly(command)),
      greeting,
    );
    const mailer = await openMailer({ smtpUrl: server.url, from: 'no-reply@svc.example', timeoutMs: 100 });
    await expect(mailer.send(mail)).rejects.toBeInstanceOf(MailError);
  });
});
