import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { fastify } from 'fastify';
import { mountBodyTime } from './body-time';

const IDLE_MS = 50;

it('a body is watched no longer than its request: an answer that did not wait for the body ends the watch', async () => {
  const warnings: string[] = [];
  const stream = { write: (line: string) => void warnings.push(line) };
  const server = fastify({ logger: { level: 'warn', stream }, forceCloseConnections: true });
  mountBodyTime(server, { idleMs: IDLE_MS, wholeMs: 60_000 });
  server.post('/', () => ({}));
  await server.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect(server.addresses()[0]!.port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-type: text/unknown\r\ncontent-length: 9999\r\n\r\na');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 415 /);
  await pause(4 * IDLE_MS);
  // The framework warns of a second answer.
  expect(warnings).toEqual([]);
  socket.destroy();
  await server.close();
});
