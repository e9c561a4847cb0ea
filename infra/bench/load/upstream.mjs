// The provider behind every candidate: a raw TCP server with prebuilt answers, so that its own cost is small.
// The first segment of a path selects the answer: /stream-50/v1/chat/completions. Sends its port by IPC.
// `node upstream.mjs <port, or 0 for a free one>`
import { createServer } from 'node:net';
import { answers } from './answers.mjs';

const HEAD_END = Buffer.from('\r\n\r\n');
const FAILURE_OF_EVERY = 2;

let failingCalls = 0;
const pacedStreams = new Set();
let clock;

/** Reads requests one after the other. Throws for a chunked body, which it does not parse. */
function serve(socket) {
  socket.setNoDelay();
  let head = null;
  let missing = 0;
  let route = '';
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk) => {
    if (missing > 0) {
      missing -= chunk.length;
      if (missing === 0) answer(socket, route);
      return;
    }
    const bytes = head === null ? chunk : Buffer.concat([head, chunk]);
    const headEnd = bytes.indexOf(HEAD_END);
    if (headEnd < 0) {
      head = bytes;
      return;
    }
    head = null;
    const text = bytes.latin1Slice(0, headEnd);
    const length = /\r\ncontent-length: *(\d+)/i.exec(text);
    if (length === null && !text.startsWith('GET'))
      throw new Error(`upstream: no content-length in\n${text}`);
    route = text.slice(text.indexOf('/') + 1, text.indexOf('/', text.indexOf('/') + 1));
    missing = Number(length?.[1] ?? 0) - (bytes.length - headEnd - HEAD_END.length);
    if (missing < 0) throw new Error('upstream: the next request came before the answer');
    if (missing === 0) answer(socket, route);
  });
}

function answer(socket, route) {
  const prepared = answers[route];
  if (prepared === undefined) throw new Error(`upstream: no answer for /${route}`);
  if (prepared.paceMs !== undefined) {
    socket.write(prepared.events[0]);
    clock ??= setInterval(keepPace, 1);
    pacedStreams.add({ socket, prepared, at: 1, dueMs: performance.now() + prepared.paceMs });
    return;
  }
  if (prepared.events === undefined) {
    const fails = prepared.failure !== undefined && failingCalls++ % FAILURE_OF_EVERY === 0;
    socket.write(fails ? prepared.failure : prepared.bytes);
    return;
  }
  for (const event of prepared.events) socket.write(event);
}

/** One timer for all paced streams, stopped without them: one timer each would cost more than the measured work. */
function keepPace() {
  const now = performance.now();
  for (const stream of pacedStreams) {
    const { socket, prepared } = stream;
    while (stream.at < prepared.events.length && stream.dueMs <= now) {
      socket.write(prepared.events[stream.at++]);
      stream.dueMs += prepared.paceMs;
    }
    if (stream.at === prepared.events.length || socket.destroyed) pacedStreams.delete(stream);
  }
  if (pacedStreams.size > 0) return;
  clearInterval(clock);
  clock = undefined;
}

const server = createServer({ noDelay: true }, serve);
server.listen(Number(process.argv[2]), '127.0.0.1', 4096, () =>
  process.send({ port: server.address().port }),
);
process.once('disconnect', () => process.exit());
