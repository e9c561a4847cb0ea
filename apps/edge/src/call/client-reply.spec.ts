import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { GatewayError } from '@svc/kernel';
import { eventually } from '@svc/testing';
import { ClientReply } from './client-reply';

/** More than the socket buffers of both sides. */
const BLOCK = Buffer.alloc(1024 * 1024);
const BLOCKS_MAX = 40;

let server: Server;
let client: Socket;
beforeEach(() => {
  server = createServer();
});
afterEach(() => {
  client.destroy();
  server.close();
});

async function opened(stallMs?: number, sequenceNumber = 0): Promise<ClientReply> {
  const opening = new Promise<ClientReply>((resolve) => {
    server.on('request', (_, outgoing) => {
      const reply = new ClientReply(outgoing, 'req_1', 'responses', stallMs);
      reply.openStream({ nextSequenceNumber: () => sequenceNumber });
      resolve(reply);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: svc\r\n\r\n');
  return opening;
}

describe('the reply to a caller', () => {
  it('waits for a caller that reads slowly', async () => {
    const open = await opened();
    let written = 0;
    const writing = (async () => {
      for (; written < BLOCKS_MAX && !open.disconnected.aborted; written++) await open.write([BLOCK]);
    })();
    let read = 0;
    for await (const chunk of client) {
      read += (chunk as Buffer).length;
      await new Promise(setImmediate);
      if (read >= BLOCKS_MAX * BLOCK.length) break;
    }
    await writing;
    expect(written).toBe(BLOCKS_MAX);
    expect(open.disconnected.aborted).toBe(false);
  });

  it('numbers the event of an error after the events before it', async () => {
    const open = await opened(undefined, 7);
    await open.endWithError(new GatewayError('internal', 'It broke.'));
    let answer = '';
    for await (const chunk of client) {
      answer += String(chunk);
      if (answer.includes('\r\n0\r\n')) break;
    }
    expect(answer).toContain('"type":"error","sequence_number":7,');
  });

  it('treats a caller that reads nothing as disconnected', async () => {
    const open = await opened(200);
    client.pause();
    for (let written = 0; written < BLOCKS_MAX && !open.disconnected.aborted; written++)
      await open.write([BLOCK]);
    expect(open.disconnected.aborted).toBe(true);
  });

  it('notices that a caller disconnects, and then writes nothing more', async () => {
    const open = await opened();
    expect(open.disconnected.aborted).toBe(false);
    client.destroy();
    await eventually(() => {
      expect(open.disconnected.aborted).toBe(true);
    });
    await open.write([BLOCK]);
    open.end();
  });

  it('does not take the end of its own answer for a disconnection', async () => {
    const open = await opened();
    open.end();
    client.resume();
    await new Promise((resolve) => setTimeout(resolve, 50));
    client.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(open.disconnected.aborted).toBe(false);
  });
});
