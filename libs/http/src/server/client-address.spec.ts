import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { addressListOf, type TrustedProxies } from '@svc/kernel';
import { createLogger } from '@svc/runtime/observability';
import { type FastifyInstance } from 'fastify';
import { clientAddressOf } from './client-address';
import { createHttpServer } from './http-server';

const servers: FastifyInstance[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** @returns the address that a server of these proxies sees, for a call with these headers. */
async function serverBehind(proxies: TrustedProxies) {
  const server = createHttpServer({ logger: createLogger({ service: 'svc', level: 'silent' }), proxies });
  servers.push(server);
  server.get('/', (request) => ({ address: clientAddressOf(request), framework: request.ip }));
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.addresses()[0]!;
  return async (...headers: readonly string[]) => {
    const socket = connect(port, '127.0.0.1');
    const head = ['GET / HTTP/1.1', 'Host: svc', 'Connection: close', ...headers];
    socket.end(`${head.join('\r\n')}\r\n\r\n`);
    const answer = await text(socket);
    return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n'))) as Record<'address' | 'framework', string>;
  };
}

describe('the client’s address of a request', () => {
  it('is that of the connection where no proxy is trusted', async () => {
    const seen = await serverBehind(0);
    expect(await seen('X-Forwarded-For: 203.0.113.7')).toMatchObject({ address: '127.0.0.1' });
  });

  it.each([
    ['a number', 1],
    ['a list', addressListOf(['127.0.0.0/8'])],
  ])('is the last one of several headers, with %s of proxies, for the framework too', async (_, proxies) => {
    const seen = await serverBehind(proxies);
    expect(await seen('X-Forwarded-For: 203.0.113.7', 'X-Forwarded-For: 198.51.100.1')).toEqual({
      address: '198.51.100.1',
      framework: '198.51.100.1',
    });
  });

  it('is that of the connection for other headers of proxies', async () => {
    const seen = await serverBehind(addressListOf(['127.0.0.1']));
    const others = ['Forwarded: for=203.0.113.7', 'X-Real-IP: 203.0.113.7', 'X-Client-IP: 203.0.113.7'];
    expect(await seen(...others)).toMatchObject({ address: '127.0.0.1' });
  });
});
