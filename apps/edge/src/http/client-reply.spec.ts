import { connect, type AddressInfo, type Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { eventually } from '@svc/testing';
import { ClientReply } from './client-reply';

/** More than the sockets of both sides hold by themselves. */
const BLOCK = Buffer.alloc(1024 * 1024);
const BLOCKS_MAX = 40;

let server: FastifyInstance;
let client: Socket;
beforeEach(() => {
  server = fastify();
});
afterEach(async () => {
  client.destroy();
  await server.close();
});

async function opened(stallMs?: number): Promise<ClientReply> {
  const opening = new Promise<ClientReply>((resolve) => {
    server.get('/', (_, fastifyReply) => {
      const reply = new ClientReply(fastifyReply, stallMs);
      reply.openStream();
      resolve(reply);
    });
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  client = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: svc\r\n\r\n');
  return opening;
}

describe('the caller’s end of a call', () => {
  it('waits for a caller that reads slowly', async () => {
    const open = await opened();
    let written = 0;
    const writing = (async () => {
      for (; written < BLOCKS_MAX && !open.left.aborted; written++) await open.write([BLOCK]);
    })();
    let read = 0;
    for await (const chunk of client) {
      read += (chunk as Buffer).length;
      await new Promise(setImmediate);
      if (read >= BLOCKS_MAX * BLOCK.length) break;
    }
    await writing;
    expect(written).toBe(BLOCKS_MAX);
    expect(open.left.aborted).toBe(false);
  });

  it('takes a caller that reads nothing for gone', async () => {
    const open = await opened(200);
    client.pause();
    for (let written = 0; written < BLOCKS_MAX && !open.left.aborted; written++) await open.write([BLOCK]);
    expect(open.left.aborted).toBe(true);
  });

  it('knows of a caller that leaves, and then writes nothing more', async () => {
    const open = await opened();
    expect(open.left.aborted).toBe(false);
    client.destroy();
    await eventually(() => {
      expect(open.left.aborted).toBe(true);
    });
    await open.write([BLOCK]);
    open.end();
  });

  it('does not take the end of its own answer for a leaving', async () => {
    const open = await opened();
    open.end();
    client.resume();
    await new Promise((resolve) => setTimeout(resolve, 50));
    client.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(open.left.aborted).toBe(false);
  });
});
