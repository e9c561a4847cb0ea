import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createLogger } from '@svc/runtime/observability';
import { serveDirectly } from '../server/front-door';
import { createHttpServer } from '../server/http-server';
import { Draining } from './draining';

const server = createHttpServer({ logger: createLogger({ service: 'edge', level: 'silent' }) });
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(async () => {
  agent.destroy();
  await server.close();
});

async function ask(
  path: string,
): Promise<[status: number | undefined, connection: string | undefined, body: string]> {
  const { port } = server.server.address() as AddressInfo;
  const [response] = (await once(get({ host: '127.0.0.1', port, path, agent }), 'response')) as [
    IncomingMessage,
  ];
  return [response.statusCode, response.headers.connection, await text(response)];
}

it('a draining service still serves, and closes each connection with its next answer', async () => {
  const draining = new Draining(server, 300);
  server.get('/', () => 'served');
  serveDirectly(server, ({ url }, outgoing) => {
    if (url !== '/early') return false;
    outgoing.writeHead(401, ['content-length', '5']).end('early');
    return true;
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  expect(await ask('/')).toEqual([200, 'keep-alive', 'served']);
  expect(await ask('/early')).toEqual([401, 'keep-alive', 'early']);
  const begunAt = performance.now();
  const isOver = draining.begin();
  expect(draining.hasBegun).toBe(true);
  expect(await ask('/')).toEqual([200, 'close', 'served']);
  expect(await ask('/')).toEqual([200, 'close', 'served']);
  expect(await ask('/early')).toEqual([401, 'close', 'early']);
  await isOver;
  expect(performance.now() - begunAt).toBeGreaterThan(290);
});
