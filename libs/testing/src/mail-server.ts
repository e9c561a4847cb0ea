import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A mail server on a port of its own, with what it heard. Without a reply it stays silent. */
export interface MailServer {
  readonly url: string;
  /** Every line. */
  readonly heard: readonly string[];
  /** The texts of the mails that it took, as people read them. */
  letters(): string[];
  close(): Promise<void>;
}

type MailServerReply = (command: string) => string | null;

/** Takes every mail. */
export const acceptMail: MailServerReply = (command) => {
  if (command.startsWith('EHLO')) return '250 mail.example';
  if (command.startsWith('DATA')) return '354 Go on';
  return command.startsWith('QUIT') ? '221 Bye' : '250 OK';
};

/** Implements as much of RFC 5321 as one mail needs. @param reply to each command, and to `mail` at a mail's end. */
export async function startMailServer(
  reply: MailServerReply = acceptMail,
  greeting = '220 mail.example\r\n',
): Promise<MailServer> {
  const heard: string[] = [];
  const letters: string[] = [];
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    let mail: string[] | null = null;
    let rest = '';
    socket.on('error', () => undefined);
    socket.write(greeting);
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString()).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        heard.push(line);
        if (mail !== null && line !== '.') {
          mail.push(line);
          continue;
        }
        const answer = reply(mail === null ? line : 'mail');
        if (mail !== null && answer?.startsWith('2')) letters.push(textOf(mail));
        mail = answer?.startsWith('354') ? [] : null;
        if (answer !== null) socket.write(`${answer}\r\n`);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    heard,
    letters: () => [...letters],
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The body behind the headers, its quoted-printable undone (RFC 2045, 6.7). */
function textOf(lines: readonly string[]): string {
  const body = lines.slice(lines.indexOf('') + 1).join('\n');
  if (!lines.includes('Content-Transfer-Encoding: quoted-printable')) return body;
  const bytes = body
    .replaceAll('=\n', '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
