import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { type UploadPace, watchPace } from './upload-pace';

const BODY_BYTES = 1_000_000;

let server: Server;
let client: Socket;
afterEach(() => {
  client.destroy();
  server.closeAllConnections();
  server.close();
});

/** @returns what the watch says of the first body, and null once the body is whole. */
async function verdictOf(pace: UploadPace, reader: Writable): Promise<string | null> {
  const verdict = Promise.withResolvers<string | null>();
  server = createServer((incoming) => {
    const stop = watchPace(incoming, reader, pace, ({ message }) => {
      verdict.resolve(message);
    });
    incoming
      .on('end', () => {
        stop();
        verdict.resolve(null);
      })
      .pipe(reader);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  client.write(`POST / HTTP/1.1\r\nhost: a\r\ncontent-length: ${String(BODY_BYTES)}\r\n\r\n`);
  return verdict.promise;
}

const fast = () =>
  new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });

it('a client that sends less than the least rate is too slow', async () => {
  const verdict = verdictOf({ leastBytesPerSecond: 64 * 1024, windowMs: 600, wholeMs: 60_000 }, fast());
  const drip = setInterval(() => client.write('a'), 50);
  expect(await verdict).toBe('The upload was slower than 64 KiB a second.');
  clearInterval(drip);
});

it('a client that sends fast enough, for ever, comes to an end', async () => {
  const verdict = verdictOf({ leastBytesPerSecond: 1, windowMs: 60, wholeMs: 500 }, fast());
  const send = setInterval(() => client.write('a'.repeat(100)), 5);
  expect(await verdict).toBe('The upload took too long.');
  clearInterval(send);
});

it('a client that waits for a slow reader is not too slow', async () => {
  const slow = new Writable({
    highWaterMark: 1_000,
    write: (_chunk, _encoding, done) => void setTimeout(done, 40),
  });
  const verdict = verdictOf({ leastBytesPerSecond: 1e9, windowMs: 300, wholeMs: 60_000 }, slow);
  await once(server, 'connection');
  client.write(Buffer.alloc(BODY_BYTES));
  expect(await verdict).toBeNull();
});
