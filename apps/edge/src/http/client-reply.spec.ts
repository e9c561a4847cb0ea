import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import fastify, { type FastifyInstance } from 'fastify';
import { eventually } from '@svc/testing';
import { ClientReply } from './client-reply';

const STALL_MS = 200;
/** More than the sockets of both sides hold by themselves. */
const BLOCK = Buffer.alloc(1024 * 1024);
const BLOCKS_MAX = 40;

let server: FastifyInstance;
let client: Socket;
let reply: ClientReply | undefined;
beforeEach(async () => {
  reply = undefined;
  server = fastify();
  server.get('/', (_, fastifyReply) => {
    reply = new ClientReply(fastifyReply, STALL_MS);
    reply.openStream();
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  client = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
  await once(client, 'connect');
  client.write('GET / HTTP/1.1\r\nhost: svc\r\n\r\n');
});
afterEach(async () => {
  client.destroy();
  await server.close();
});
const opened = (): Promise<ClientReply> =>
  eventually(() => {
    expect(reply).toBeDefined();
    return reply!;
  });

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
    const open = await opened();
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
