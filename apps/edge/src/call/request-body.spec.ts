import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { buffer as allOf } from 'node:stream/consumers';
import { GatewayError } from '@svc/kernel';
import { type BodyTime, headersForUnreadBody } from '@svc/http';
import { eventually } from '@svc/testing';
import { BodyMemory } from './body-memory';
import { LargeBodySemaphore } from '../fairness/large-body-semaphore';
import { type BeforeLargeBody, RequestBody } from './request-body';

const LARGE = 3 * 1024 * 1024;
const ORGANIZATION = 'org_1';
const HEAD = 'POST / HTTP/1.1\r\nhost: svc\r\n';

let semaphore: LargeBodySemaphore;
let memory: BodyMemory;
let server: Server;
let read: (incoming: IncomingMessage, disconnected: AbortSignal) => Promise<Uint8Array>;
let arrived: IncomingMessage[];
let outcomes: Promise<Uint8Array>[];
beforeEach(async () => {
  semaphore = new LargeBodySemaphore({ bytesMax: LARGE, waitingMax: 9, waitMsMax: 60_000 });
  memory = new BodyMemory({ bytesMax: LARGE, bytesOfOneMax: 20 * LARGE, bytesUnfreedMax: LARGE });
  reads();
  arrived = [];
  outcomes = [];
  server = createServer((incoming, response) => {
    arrived.push(incoming);
    const disconnected = new AbortController();
    response.on('close', () => {
      disconnected.abort();
    });
    const reading = read(incoming, disconnected.signal);
    outcomes.push(reading);
    reading.then(
      (body) => response.end(`${String(body.byteLength)} bytes`),
      (error: unknown) => {
        const { status } = GatewayError.from(error).definition;
        response.writeHead(status, headersForUnreadBody(incoming)).end();
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await Promise.allSettled(outcomes);
});

/** Sets how each body is read. Its call ends when it has been read. */
function reads(beforeLarge?: BeforeLargeBody, idleTimeoutMs?: number, shortBodyTime?: BodyTime): void {
  read = async (incoming, disconnected) => {
    const body = new RequestBody(incoming, { semaphore, memory }, disconnected, idleTimeoutMs, shortBodyTime);
    try {
      return await body.read(ORGANIZATION, beforeLarge);
    } finally {
      body.release();
    }
  };
}

const dial = async (): Promise<Socket> => {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
};
const announced = (byteCount: number): string => `${HEAD}content-length: ${String(byteCount)}\r\n\r\n`;
const CHUNKED = `${HEAD}transfer-encoding: chunked\r\n\r\n`;
const chunk = (byteCount: number): string => `${byteCount.toString(16)}\r\n${'x'.repeat(byteCount)}\r\n`;
const answerOf = async (socket: Socket): Promise<string> =>
  ((await once(socket, 'data')) as [Buffer])[0].toString();
/** True where the organization has no large body in flight: only then a second one may exceed the bound. */
const isIdle = async (): Promise<boolean> => {
  const permits = [
    semaphore.acquire(ORGANIZATION, LARGE, AbortSignal.abort()),
    semaphore.acquire(ORGANIZATION, LARGE, AbortSignal.abort()),
  ];
  const entered = await Promise.allSettled(permits);
  for (const each of entered) if (each.status === 'fulfilled') each.value.release();
  return entered.every(({ status }) => status === 'fulfilled');
};
const never = () => Promise.reject(new Error('was asked'));

describe('a body', () => {
  it.each([
    ['announced', (size: number) => announced(size) + 'x'.repeat(size)],
    ['in chunks', (size: number) => CHUNKED + chunk(size - 1) + chunk(1) + chunk(0)],
  ])('that is small is read at once: %s', async (_, written) => {
    reads(never);
    for (const size of [2, 200_000]) {
      const socket = await dial();
      socket.write(written(size));
      expect(await answerOf(socket)).toContain(`${String(size)} bytes`);
    }
  });

  it.each([
    ['announced', () => announced(LARGE) + 'x'.repeat(LARGE)],
    ['in chunks', () => CHUNKED + chunk(100) + chunk(LARGE - 100) + chunk(0)],
  ])('that is large is read whole, after `beforeLarge`: %s', async (_, written) => {
    let asked = 0;
    reads(() => {
      asked++;
      return new Promise((resolve) => setTimeout(resolve, 50));
    });
    const socket = await dial();
    socket.write(written());
    expect(await answerOf(socket)).toContain(`${String(LARGE)} bytes`);
    expect(asked).toBe(1);
    expect(await isIdle()).toBe(true);
  });

  it('is empty when no header announces one', async () => {
    const socket = await dial();
    socket.write(`${HEAD}\r\n`);
    expect(await answerOf(socket)).toContain('0 bytes');
  });
});

it.each([
  ['stands still', { idleMs: 50, wholeMs: 60_000 }, 60_000],
  ['drips', { idleMs: 10_000, wholeMs: 200 }, 20],
])('a small body that %s is refused', async (_, time, pauseMs) => {
  reads(never, undefined, time);
  const socket = await dial();
  socket.write(`${announced(9_999)}{`);
  const drip = setInterval(() => socket.write(' '), pauseMs);
  expect(await answerOf(socket)).toContain('HTTP/1.1 400 ');
  clearInterval(drip);
  await expect(outcomes[0]).rejects.toMatchObject({ message: 'The body took too long to arrive.' });
});

describe('a large body that is refused', () => {
  const refuse = () => Promise.reject(new GatewayError('rateLimit', 'No.', { retryAfterMs: 1000 }));

  it('is answered before any of it has arrived, when its length is announced', async () => {
    reads(refuse);
    const socket = await dial();
    socket.write(announced(1_000_000_000));
    expect(await answerOf(socket)).toContain('HTTP/1.1 429 ');
  });

  it.each([
    ['announced', announced(LARGE) + 'x'.repeat(LARGE)],
    ['in chunks', CHUNKED + chunk(LARGE) + chunk(0)],
  ])('is discarded, and its connection serves the next call: %s', async (_, written) => {
    reads(refuse);
    const socket = await dial();
    socket.write(written);
    expect(await answerOf(socket)).toContain('HTTP/1.1 429 ');
    socket.write(`${announced(2)}{}`);
    expect(await answerOf(socket)).toContain('2 bytes');
  });

  it.each([
    ['asks to close', HEAD.replace('host', 'connection: close\r\nhost')],
    ['speaks HTTP/1.0', HEAD.replace('1.1', '1.0')],
  ])('is answered whole to a client that sends on and %s', async (_, head) => {
    reads(refuse);
    for (let nth = 0; nth < 3; nth++) {
      const socket = await dial();
      socket.write(`${head}content-length: ${String(20 * LARGE)}\r\n\r\n`);
      // Many clients read their answer only then. A reset takes it from them.
      await new Promise<void>((resolve) => socket.end(Buffer.alloc(20 * LARGE, 'x'), resolve));
      expect((await allOf(socket)).toString()).toContain(' 429 ');
    }
  });

  it.each([
    ['stands still', { idleMs: 50, wholeMs: 60_000 }, 60_000],
    ['drips', { idleMs: 10_000, wholeMs: 200 }, 20],
  ])('loses its connection where its rest %s', async (_, time, pauseMs) => {
    reads(refuse, undefined, time);
    const socket = await dial();
    socket.resume().write(`${announced(20 * LARGE)}{`);
    const drip = setInterval(() => socket.write(' '), pauseMs);
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(drip);
  });

  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

  it('is watched no longer than its connection', async () => {
    reads(refuse);
    const timersBefore = timers();
    const socket = await dial();
    socket.write(announced(20 * LARGE));
    expect(await answerOf(socket)).toContain('HTTP/1.1 429 ');
    expect(timers()).toBeGreaterThan(timersBefore);
    socket.destroy();
    await new Promise((resolve) => arrived[0]!.socket.once('close', resolve));
    expect(timers()).toBe(timersBefore);
  });

  it('is not watched where its connection was cut before', async () => {
    const timersBefore = timers();
    const socket = await dial();
    socket.write(announced(20 * LARGE) + 'x'.repeat(LARGE));
    await eventually(async () => {
      expect(await isIdle()).toBe(false);
    });
    socket.destroy();
    await expect(outcomes[0]).rejects.toMatchObject({ reason: 'invalidRequest' });
    expect(timers()).toBe(timersBefore);
  });
});

describe('a large body that has to wait for others', () => {
  const acquire = () => semaphore.acquire(ORGANIZATION, LARGE, new AbortController().signal);

  it.each([
    ['announced', announced(20 * LARGE)],
    ['in chunks', CHUNKED + (20 * LARGE).toString(16) + '\r\n'],
  ])('stays unread until it is admitted: %s', async (_, head) => {
    const permits = [await acquire(), await acquire()];
    const socket = await dial();
    socket.write(head);
    socket.write('x'.repeat(20 * LARGE));
    await eventually(() => {
      expect(arrived).toHaveLength(1);
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(arrived[0]!.socket.bytesRead).toBeLessThan(2 * 1024 * 1024);
    for (const permit of permits) permit.release();
    if (head.startsWith(CHUNKED)) socket.write('\r\n0\r\n\r\n');
    expect(await answerOf(socket)).toContain(`${String(20 * LARGE)} bytes`);
  });
});

describe('a large body that stalls', () => {
  it('is cut after the idle timeout, and its permit released', async () => {
    reads(undefined, 200);
    const socket = await dial();
    socket.write(announced(20 * LARGE) + 'x'.repeat(LARGE));
    await once(socket, 'close');
    await expect(outcomes[0]).rejects.toMatchObject({ reason: 'invalidRequest' });
    expect(await isIdle()).toBe(true);
  });

  it.each([
    ['announced', announced(20 * LARGE) + 'x'.repeat(LARGE)],
    ['in chunks', CHUNKED + chunk(LARGE)],
  ])('because its caller disconnected releases its permit: %s', async (_, written) => {
    const socket = await dial();
    socket.write(written);
    await eventually(async () => {
      expect(await isIdle()).toBe(false);
    });
    socket.destroy();
    await expect(outcomes[0]).rejects.toMatchObject({ reason: 'invalidRequest' });
    expect(await isIdle()).toBe(true);
  });
});
