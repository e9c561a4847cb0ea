// `node infra/local/proxy.mjs <port> edge=<url>[,<url>] auth=<url> management=<url> console=<url>`: one address for separate
// services. It passes on every byte at once, tries the next process of a service where one is down, and aborts an
// answer that the service aborts.
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect } from 'node:net';
import { say } from './workspace.mjs';

/** The first that matches. */
const routes = [
  [/^\/(auth|\.well-known)(\/|$)/, 'auth'],
  [/^\/api\/v1\/(organizations\/[^/]+\/)?oauth(-apps)?(\/|$)/, 'auth'],
  [/^\/platform\/v1\/signing-keys(\/|$)/, 'auth'],
  [/^\/(api\/v1|platform|status|downloads|payments|v1\/files|v1\/fine_tuning)(\/|$)/, 'management'],
  [/^\/((console|operator)(\/|$)|$)/, 'console'],
  [/^/, 'edge'],
];
/** Headers of one connection, not of the message (RFC 9110 section 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

const [port, ...definitions] = process.argv.slice(2);
const services = new Map(
  definitions
    .map((definition) => definition.split('='))
    .map(([name, urls]) => [name, urls.split(',').map((url) => new URL(url))]),
);

const proxy = createServer((incoming, answer) => {
  forward(incoming, answer).catch(() => {
    // Ending an answer that has begun would mark it as complete.
    if (answer.headersSent) return answer.destroy();
    answer.writeHead(502, { 'content-type': 'application/json' });
    answer.end(JSON.stringify({ error: { code: 'overloaded', message: 'The service is not up.' } }));
  });
});
proxy.requestTimeout = 0;
proxy.listen(Number(port), '127.0.0.1', () => {
  say(`http://127.0.0.1:${proxy.address().port}`);
});
process.once('SIGTERM', () => proxy.close());

async function forward(incoming, answer) {
  const [path] = incoming.url.split('?', 1);
  const [, name] = routes.find(([pattern]) => pattern.test(path));
  const socket = await connectToOne(services.get(name) ?? []);
  const outgoing = request({
    createConnection: () => socket,
    method: incoming.method,
    path: incoming.url,
    headers: {
      ...endToEnd(incoming.headers),
      'x-forwarded-for': [incoming.headers['x-forwarded-for'], incoming.socket.remoteAddress]
        .filter(Boolean)
        .join(', '),
    },
  });
  answer.once('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
  const [reply] = await once(outgoing, 'response');
  answer.writeHead(reply.statusCode, endToEnd(reply.headers));
  answer.flushHeaders();
  await new Promise((resolve, reject) => {
    outgoing.on('error', reject);
    reply.on('error', reject).on('end', resolve).pipe(answer);
  });
}

/** Starts with another process each time, and skips those that refuse. */
async function connectToOne(urls) {
  urls.push(...urls.splice(0, 1));
  for (const { hostname, port } of [...urls]) {
    const socket = connect(Number(port), hostname).setNoDelay();
    if (await connected(socket)) return socket;
  }
  throw new Error('nobody answers');
}

const connected = (socket) =>
  once(socket, 'connect').then(
    () => true,
    () => false,
  );

const endToEnd = (headers) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)));
