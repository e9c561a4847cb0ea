import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { eventually } from '@svc/testing';
import { answering, dripping, type RawBehaviour, RawReceiver } from '../testing/raw-receiver';
import { systemAddresses } from './resolve-addresses';
import { type WebhookAnswer, WebhookTransport, type WebhookTransportOptions } from './webhook-transport';

let receivers: RawReceiver[] = [];
afterEach(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  receivers = [];
});

const start = async (behave: RawBehaviour, whenConnected = false): Promise<RawReceiver> => {
  const receiver = await RawReceiver.start(behave, whenConnected);
  receivers.push(receiver);
  return receiver;
};
const transport = (options: Partial<WebhookTransportOptions> = {}) =>
  new WebhookTransport({ policy: { allowPrivate: true }, resolve: systemAddresses, ...options });
const post = (url: string, options: Partial<WebhookTransportOptions> = {}): Promise<WebhookAnswer> =>
  transport(options).post({ url, headers: { 'svc-event-id': 'evt_1' }, body: Buffer.from('{"é":1}') });
const postTo = async (behave: RawBehaviour, options: Partial<WebhookTransportOptions> = {}) =>
  post((await start(behave)).url, options);
const gone = (receiver: RawReceiver) =>
  eventually(() => {
    expect(receiver.openSockets).toBe(0);
  });

/** All opened connections. */
const observedDials = () => {
  const dialled: Socket[] = [];
  const dial = ((...given: Parameters<typeof connect>) => {
    const socket = connect(...given);
    dialled.push(socket);
    return socket;
  }) as typeof connect;
  return { dialled, dial };
};

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const SHORT = { timeoutMs: 700 };

describe('a body', () => {
  it('3: that never ends and is slow neither undoes the acknowledgement nor is waited for', async () => {
    const receiver = await start(dripping('HTTP/1.1 200 OK\r\n\r\n', 'x', 100));
    // Neither the body nor the time-out of the head would end.
    expect(await post(receiver.url, { timeoutMs: 2 ** 30 })).toMatchObject({
      statusCode: 200,
      responseExcerpt: expect.stringMatching(/^x+$/),
    });
    await gone(receiver);
  });

  it('3: that never ends and is fast is cut as soon as it is too long, before its time-out', async () => {
    const receiver = await start(dripping('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(1_000_000), 1));
    const { dialled, dial } = observedDials();
    for (let time = 0; time < 3; time++) {
      expect(await post(receiver.url, { connect: dial })).toMatchObject({
        statusCode: 200,
        responseExcerpt: 'x'.repeat(2_048),
      });
    }
    // A megabyte comes each millisecond, and the time-out is a second: by then it would be much more.
    for (const { bytesRead } of dialled) expect(bytesRead).toBeLessThanOrEqual(2 * 65_536);
    await gone(receiver);
  });

  it('3: is never read beyond its bound nor kept beyond its excerpt, for 500 receivers at once', async () => {
    const receiver = await start(dripping('HTTP/1.1 200 OK\r\n\r\n', 'y'.repeat(300_000), 200));
    const { dialled, dial } = observedDials();
    const sender = transport({ connect: dial });
    const call = { url: receiver.url, headers: {}, body: Buffer.from('{}') };
    const answers = await Promise.all(Array.from({ length: 500 }, () => sender.post(call)));
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true);
    expect(Math.max(...answers.map(({ responseExcerpt }) => responseExcerpt?.length ?? 0))).toBe(2_048);
    // 64 KiB, and at most one more read from the socket.
    expect(Math.max(...dialled.map(({ bytesRead }) => bytesRead))).toBeLessThanOrEqual(2 * 65_536);
    expect(dialled).toHaveLength(500);
  });

  it('4: that is compressed is not expanded', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const answer = await postTo((socket) => {
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${String(bomb.length)}\r\n\r\n`,
      );
      socket.end(bomb);
    });
    expect(answer.statusCode).toBe(200);
    expect(Buffer.byteLength(answer.responseExcerpt ?? '')).toBeLessThanOrEqual(2_048);
    expect(answer.responseExcerpt).not.toMatch(/^\uFFFD*$/);
  });

  it('6: that is shorter than announced does not undo the acknowledgement', async () => {
    const answer = await postTo(answering('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nshort'));
    expect(answer).toMatchObject({ statusCode: 200, error: null, responseExcerpt: 'short' });
  });

  it('6: with two lengths is no answer', async () => {
    const both =
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n';
    expect(await postTo(answering(both))).toMatchObject({ statusCode: null, error: 'invalid_response' });
  });
});

describe('a head', () => {
  it.each([
    ['of more than 16 KiB', `HTTP/1.1 200 OK\r\nX-Big: ${'b'.repeat(20_000)}\r\n\r\n`],
    ['of 10,000 lines', `HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(10_000)}\r\n`],
  ])('5: %s is no answer', async (_, head) => {
    expect(await postTo(answering(head))).toMatchObject({ statusCode: null, error: 'invalid_response' });
  });

  it.each([
    ['an unasked 100', `HTTP/1.1 100 Continue\r\n\r\n${OK}`, 200],
    ['early hints', `${'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(20)}${OK}`, 200],
    ['a 199', `HTTP/1.1 199 Odd\r\n\r\n${OK}`, 200],
    ['nothing, 204 with a body', 'HTTP/1.1 204 No Content\r\n\r\nbody', 204],
    ['nothing, 299', 'HTTP/1.1 299 Odd\r\nContent-Length: 0\r\n\r\n', 299],
    ['nothing, 600', 'HTTP/1.1 600 Odd\r\nContent-Length: 0\r\n\r\n', 600],
    ['nothing, 999', 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n', 999],
    ['nothing, in HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nbody', 200],
  ])('7: after %s is the one that counts', async (_, head, statusCode) => {
    expect(await postTo(answering(head))).toMatchObject({ statusCode, error: null });
  });

  it('7: that switches protocols is no answer', async () => {
    const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
    expect(await postTo(answering(switching))).toMatchObject({
      statusCode: null,
      error: 'connection_closed',
    });
  });

  it.each([301, 302, 303, 307, 308])('8: %i is answered with, and not followed', async (statusCode) => {
    const target = await start(answering(OK));
    const location = `Location: ${target.url}\r\n`;
    const answer = await postTo(
      answering(`HTTP/1.1 ${String(statusCode)} Away\r\n${location}Content-Length: 0\r\n\r\n`),
    );
    expect(answer).toMatchObject({ statusCode, error: null });
    expect(target.sockets).toHaveLength(0);
  });

  it('8: to a private address is not followed either', async () => {
    const location = 'Location: http://169.254.169.254/latest/meta-data/\r\n';
    const { dialled, dial } = observedDials();
    const answer = await postTo(answering(`HTTP/1.1 307 Away\r\n${location}Content-Length: 0\r\n\r\n`), {
      connect: dial,
    });
    expect(answer).toMatchObject({ statusCode: 307, error: null });
    expect(dialled).toHaveLength(1);
  });

  it('8: 304 is one like any other', async () => {
    expect(await postTo(answering('HTTP/1.1 304 Not Modified\r\n\r\n'))).toMatchObject({ statusCode: 304 });
  });
});

describe('a connection', () => {
  it.each<[string, RawBehaviour, string]>([
    ['reset by the receiver', (socket) => void socket.resetAndDestroy(), 'connection_closed'],
    ['closed without a byte', (socket) => void socket.end(), 'connection_closed'],
    ['cut within the head', answering('HTTP/1.1 200 O'), 'connection_closed'],
    ['of another protocol', answering('SSH-2.0-OpenSSH_9.7\r\n'), 'invalid_response'],
    ['of HTTP/0.9', answering('<html>hello</html>'), 'invalid_response'],
  ])('10: %s is a failure with a name', async (_, behave, error) => {
    expect(await postTo(behave)).toMatchObject({ statusCode: null, error, responseExcerpt: null });
  });

  it('10: reset before the request is a failure, and so is a refused one', async () => {
    const reset = await start((socket) => void socket.resetAndDestroy(), true);
    const error = expect.stringMatching(/^connection_(closed|failed)$/) as string;
    expect(await post(reset.url)).toMatchObject({ statusCode: null, error });
    const { url } = reset;
    await reset.close();
    expect(await post(url)).toMatchObject({ statusCode: null, error: 'connection_failed' });
  });

  it('10: reset after the head does not undo the acknowledgement', async () => {
    const answer = await postTo((socket) => {
      socket.write('HTTP/1.1 202 Accepted\r\nContent-Length: 100\r\n\r\n', () => {
        setTimeout(() => socket.resetAndDestroy(), 50);
      });
    });
    expect(answer).toMatchObject({ statusCode: 202, error: null });
  });

  it('10: whose answer arrives before the request is read still counts', async () => {
    const receiver = await start((socket) => {
      socket.write('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
    }, true);
    const answer = await transport().post({ url: receiver.url, headers: {}, body: Buffer.alloc(3_000_000) });
    expect(answer).toMatchObject({ statusCode: 401, error: null });
  });

  it('13: is never reused, so that none can go stale', async () => {
    const receiver = await start(
      answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok'),
    );
    const sender = transport();
    const call = { url: receiver.url, headers: {}, body: Buffer.from('{}') };
    for (let calls = 0; calls < 3; calls++) expect((await sender.post(call)).statusCode).toBe(200);
    expect(receiver.sockets).toHaveLength(3);
    await gone(receiver);
  });
});

describe('a call', () => {
  it('42: with a header that cannot be sent is our failure, not the receiver’s', async () => {
    const receiver = await start(answering(OK));
    const call = {
      url: receiver.url,
      headers: { 'svc-event-type': 'a\r\nX-Injected: 1' },
      body: Buffer.from(''),
    };
    await expect(transport().post(call)).rejects.toThrow('Invalid character in header content');
    await gone(receiver);
  });

  it('40: carries its body byte for byte', async () => {
    let received = '';
    const receiver = await RawReceiver.start((socket) => {
      socket.on('data', (bytes: Buffer) => {
        received += bytes.toString('latin1');
        if (received.endsWith('END')) socket.end(OK);
      });
    }, true);
    receivers.push(receiver);
    const body = Buffer.from('{"a":"é😀\u2028</script>\\u0000"}END');
    const answer = await transport(SHORT).post({ url: receiver.url, headers: { 'x-a': 'b' }, body });
    expect(answer.statusCode).toBe(200);
    const [head, sent] = received.split('\r\n\r\n');
    expect(Buffer.from(sent ?? '', 'latin1')).toEqual(body);
    expect(head?.split('\r\n')).toEqual(
      expect.arrayContaining(['POST /hook HTTP/1.1', `content-length: ${String(body.length)}`, 'x-a: b']),
    );
  });
});
