import { type IncomingMessage } from 'node:http';

/** How long a client has to read its answer before its connection is gone. */
const LINGER_MS = 1_000;

const patientWith = new WeakSet<IncomingMessage>();

/** A caller who is known may send the rest of a body that nobody reads: many clients read their answer only then. */
export const letFinishSending = (incoming: IncomingMessage): void => void patientWith.add(incoming);

export const mayFinishSending = (incoming: IncomingMessage): boolean => patientWith.has(incoming);

/**
 * Of the answer to a request whose body nobody has read to its end. The connection is closed after it, and no more is
 * read: otherwise Node.js would read and drop the rest, however much it is.
 * @returns the answer's headers. None where the body was read, or may be sent to its end.
 */
export function headersForUnreadBody(incoming: IncomingMessage): Readonly<Record<string, string>> {
  if (!isUnread(incoming) || !hasBody(incoming)) return {};
  if (mayFinishSending(incoming)) {
    if (asksToClose(incoming)) endAfterRest(incoming);
    return {};
  }
  stopReading(incoming);
  return { connection: 'close' };
}

/** Methods of which no route reads a body, though HTTP lets a request have one. */
const BODYLESS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * True where a request has a body that no route reads. Its connection must be closed after the answer: no more is read of it,
 * as {@link headersForUnreadBody} says.
 */
export function leavesBodyUnread(incoming: IncomingMessage): boolean {
  if (!BODYLESS.has(incoming.method) || !hasBody(incoming)) return false;
  stopReading(incoming);
  return true;
}

/** Nobody has asked for it, however much has arrived; or it was asked for, and has not arrived whole. */
const isUnread = ({ readableFlowing, complete }: IncomingMessage): boolean =>
  readableFlowing === null || !complete;

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * A socket that is destroyed with unread bytes is reset, and a client that is still sending may lose the answer. So the
 * socket only ends, and is destroyed a moment later.
 */
function stopReading(incoming: IncomingMessage): void {
  const { socket } = incoming;
  incoming.pause();
  // Node.js drops the rest of a body of which nothing was asked. It keeps what was, up to one buffer.
  incoming.read(0);
  socket.destroySoon = () => {
    socket.end();
    const linger = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once('close', () => {
      clearTimeout(linger);
    });
  };
}

/** RFC 9112 section 9.3: of HTTP/1.0 it is the default. */
const asksToClose = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion === '1.0' || /\bclose\b/i.test(headers.connection ?? '');

/** The same for a body whose rest is still read. Its reader bounds how long that may take. */
function endAfterRest(incoming: IncomingMessage): void {
  const { socket } = incoming;
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (incoming.complete) {
      destroySoon();
      return;
    }
    socket.end();
    incoming.once('end', destroySoon);
  };
}
