// The baseline: what a proxy of this runtime costs at least once it reads its calls. Fastify parses the body, undici sends
// it on over a pool of connections, the answer is piped back as it comes. No key, limit, money or record.
// `node bare-proxy.mjs <port> <upstream's port>`
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../../package.json', import.meta.url));
const { fastify } = require('fastify');
const { Pool } = require('undici');

const [port, upstreamPort] = process.argv.slice(2).map(Number);
const pool = new Pool(`http://127.0.0.1:${upstreamPort}`, { pipelining: 1, keepAliveTimeout: 30_000 });
const server = fastify({ logger: false, bodyLimit: 64 * 1024 * 1024 });

server.post('/:upstream/v1/*', async (request, reply) => {
  const body = JSON.stringify(request.body);
  const answer = await pool.request({
    method: 'POST',
    path: request.url,
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer provider-key',
      'content-length': String(Buffer.byteLength(body)),
    },
    body,
  });
  reply.code(answer.statusCode).header('content-type', answer.headers['content-type']);
  const isStream = answer.headers['content-type'] === 'text/event-stream';
  return isStream ? reply.send(answer.body) : Buffer.from(await answer.body.arrayBuffer());
});

/** The fastest refusal of a call: before its body is read, as Svc refuses a bad key. */
const refusal = { error: { type: 'authentication', message: 'The API key is missing or not valid.' } };
server.post('/refused/*', {
  onRequest: async (_request, reply) => reply.code(401).send(refusal),
  handler: async () => undefined,
});

server.get('/readyz', async () => 'ready');
await server.listen({ port, host: '127.0.0.1' });
