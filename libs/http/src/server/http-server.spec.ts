import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { GatewayError, isId, type ErrorEnvelope } from '@svc/kernel';
import { createLogger } from '@svc/runtime/observability';
import { type FastifyInstance } from 'fastify';
import { eventually } from '@svc/testing';
import { knownPathsOf } from './known-paths';
import { createHttpServer, type HttpServerOptions } from './http-server';

const logged: string[] = [];
const logger = createLogger({ service: 'edge', level: 'info' }, { write: (line) => void logged.push(line) });

async function startServer(options: Partial<HttpServerOptions> = {}): Promise<FastifyInstance> {
  const server = createHttpServer({ logger, ...options });
  server.get('/', () => ({ ok: true }));
  server.post('/', ({ body }) => ({ bytes: JSON.stringify(body).length }));
  server.get('/refused', () => {
    throw new GatewayError('rateLimit', 'Slow down.', { param: 'requests', retryAfterMs: 1500 });
  });
  server.get('/broken', () => {
    throw new Error('password=hunter2', { cause: new Error('the pool is empty') });
  });
  server.patch('/things/:id', () => ({}));
  server.get('/things/figures', () => ({}));
  server.get('/things/:id/parts/figures', () => ({}));
  server.delete('/things/:id/parts/:part', () => ({}));
  server.get('/files/*', () => ({}));
  knownPathsOf(server).add('/direct', ['POST']);
  knownPathsOf(server).addHint((path) => (path === '/misspelt' ? 'Use `/`.' : null));
  server.get('/odd', () => Promise.reject('hunter2' as unknown as Error));
  await server.listen({ port: 0, host: '127.0.0.1' });
  return server;
}

/** One request, byte for byte, as no HTTP client would send it; the whole answer. */
async function sendRaw(server: FastifyInstance, request: string): Promise<string> {
  const socket = connect(server.addresses()[0]!.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.end(request);
  return text(socket);
}

const MIB = 1024 * 1024;
const JSON_BODY = { 'content-type': 'application/json' };

/** Sends a body that never ends, until the connection is closed. @returns the answer, and what the server read. */
async function sendEndlessly(
  server: FastifyInstance,
  head: string,
  chunkHead: string,
): Promise<{ readonly answer: string; readonly readBytes: number }> {
  let readBytes = 0;
  server.server.once('connection', (taken: Socket) => {
    taken.once('close', () => (readBytes = taken.bytesRead));
  });
  const socket = connect(server.addresses()[0]!.port, '127.0.0.1');
  const chunk = Buffer.concat([
    Buffer.from(chunkHead),
    Buffer.alloc(MIB, 'a'),
    Buffer.from(chunkHead && '\r\n'),
  ]);
  const answer: Buffer[] = [];
  socket.on('data', (data: Buffer) => answer.push(data)).on('error', () => undefined);
  socket.write(head);
  const send = () => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', send);
  send();
  await new Promise((resolve) => socket.once('close', resolve));
  await eventually(() => expect(readBytes).toBeGreaterThan(0));
  return { answer: Buffer.concat(answer).toString(), readBytes };
}

describe('every answer', () => {
  const PATHS = ['/', '/refused', '/broken', '/odd', '/nothing/there'];

  it.each(PATHS)('of %s is kept by no cache, and taken for nothing else', async (path) => {
    const server = await startServer();
    const { headers } = await server.inject(path);
    await server.close();
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  it.each(PATHS)('of %s says that only https leads here, where that is so', async (path) => {
    const server = await startServer({ isHttps: true });
    const { headers } = await server.inject(path);
    await server.close();
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  it('is as its route says, where that says something', async () => {
    const server = createHttpServer({ logger });
    server.get('/', (_, reply) => reply.header('cache-control', 'public, max-age=300').send({}));
    expect((await server.inject('/')).headers['cache-control']).toBe('public, max-age=300');
    await server.close();
  });
});

describe('the HTTP server', () => {
  let server: FastifyInstance;
  const call = (path: string, init?: RequestInit) => fetch(server.listeningOrigin + path, init);
  const envelopeOf = async (answer: Response) => ((await answer.json()) as ErrorEnvelope).error;

  beforeAll(async () => {
    server = await startServer();
  });
  beforeEach(() => logged.splice(0));
  afterAll(() => server.close());

  it.each(['/', '/refused', '/broken', '/nowhere', '/%ff'])(
    'puts a new request id on every answer (%s)',
    async (path) => {
      const answers = await Promise.all([call(path), call(path, { headers: { 'x-request-id': 'mine' } })]);
      const ids = answers.map((answer) => answer.headers.get('x-request-id') ?? '');
      expect(ids.map((id) => isId('request', id))).toEqual([true, true]);
      expect(ids[0]).not.toBe(ids[1]);
      await Promise.all(answers.map((answer) => answer.text()));
    },
  );

  it('takes a request target in absolute form', async () => {
    const answer = await sendRaw(
      server,
      'GET http://elsewhere.example/ HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*\{"ok":true\}/);
  });

  it.each(['/nowhere?key=svc_sk_secret', '/%ff'])(
    'logs a line for the unknown path %s, without the path',
    async (path) => {
      const answer = await call(path);
      await answer.text();
      const requestId = answer.headers.get('x-request-id');
      await eventually(() => {
        expect(logged.map((line) => JSON.parse(line) as unknown)).toMatchObject([
          { request_id: requestId, method: 'GET', route: null, status: 404, msg: 'request' },
        ]);
      });
      expect(logged.join()).not.toContain('secret');
    },
  );

  it('refuses a compressed body with 415, and accepts the encoding `identity`', async () => {
    const post = (encoding: string) =>
      call('/', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-encoding': encoding },
        body: '{}',
      });
    const refused = await post('gzip');
    expect([refused.status, await envelopeOf(refused)]).toMatchObject([
      415,
      { code: 'unsupported_content_encoding', param: 'Content-Encoding', retriable: false },
    ]);
    expect((await post('identity')).status).toBe(200);
  });

  it.each([
    ['an unknown path', '/nowhere'],
    ['a path that cannot be decoded', '/%ff'],
    ['a path of many thousand characters', `/${'a'.repeat(10_000)}`],
  ])('answers %s with the 404 envelope', async (_, path) => {
    const answer = await call(path);
    expect(answer.status).toBe(404);
    expect(await envelopeOf(answer)).toEqual({
      type: 'not_found',
      code: 'not_found',
      message: 'There is nothing at this path.',
      request_id: answer.headers.get('x-request-id'),
      retriable: false,
    });
    expect(answer.headers.get('x-should-retry')).toBe('false');
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  });

  it.each([
    ['/', 'DELETE', 'GET, HEAD, POST'],
    ['/?key=svc_sk_secret', 'OPTIONS', 'GET, HEAD, POST'],
    ['/things/th_1', 'GET', 'PATCH'],
    ['/things/figures', 'OPTIONS', 'GET, HEAD'],
    ['/things/th_1/parts/figures', 'PATCH', 'GET, HEAD'],
    ['/files/a/b', 'POST', 'GET, HEAD'],
    ['/direct', 'GET', 'POST'],
  ])(
    'answers a method that %s does not take with 405 and those that it does',
    async (path, method, allow) => {
      const answer = await call(path, { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
      expect(await envelopeOf(answer)).toMatchObject({
        type: 'invalid_request',
        code: 'method_not_allowed',
        message: `This path takes no ${method}. It takes ${allow}.`,
        retriable: false,
      });
      await eventually(() => {
        expect(logged.map((line) => JSON.parse(line) as unknown)).toMatchObject([
          { method, route: null, status: 405, msg: 'request' },
        ]);
      });
      expect(logged.join()).not.toContain('secret');
    },
  );

  it('answers a common mistake in a path with what was meant', async () => {
    expect((await envelopeOf(await call('/misspelt'))).message).toBe(
      'There is nothing at this path. Use `/`.',
    );
  });

  it('answers a refusal with its status, envelope and headers', async () => {
    const answer = await call('/refused');
    expect(answer.status).toBe(429);
    expect(await envelopeOf(answer)).toMatchObject({
      code: 'rate_limit',
      param: 'requests',
      retriable: true,
    });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-should-retry': 'true',
      'retry-after': '2',
      'retry-after-ms': '1500',
    });
    expect(logged).toEqual([]);
  });

  it.each(['/broken', '/odd'])(
    'answers an unexpected error (%s) with a retriable 500 without details',
    async (path) => {
      const answer = await call(path);
      expect(answer.status).toBe(500);
      expect(answer.headers.get('x-should-retry')).toBe('true');
      const body = await answer.text();
      expect(body).not.toMatch(/hunter2|pool|\bat\b.*\.ts/);
      expect(JSON.parse(body)).toMatchObject({
        error: { type: 'internal', code: 'internal', retriable: true },
      });
    },
  );

  it('logs a failure with its cause under the request id of its answer', async () => {
    const answer = await call('/broken');
    await answer.text();
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0]!)).toMatchObject({
      request_id: answer.headers.get('x-request-id'),
      err: { message: 'password=hunter2', cause: { message: 'the pool is empty' } },
    });
  });

  it.each([
    ['broken JSON', 'application/json', '{"a":'],
    ['no body at all', 'application/json', ''],
    ['a key that would change prototypes', 'application/json', '{"__proto__":{"admin":true}}'],
    ['a content type that nobody reads', 'application/x-unknown', 'a'],
  ])('answers %s as a mistake of the caller', async (_, contentType, body) => {
    const answer = await call('/', { method: 'POST', headers: { 'content-type': contentType }, body });
    expect(answer.status).toBe(400);
    expect(await envelopeOf(answer)).toMatchObject({ type: 'invalid_request', retriable: false });
    expect(answer.headers.get('x-should-retry')).toBe('false');
  });

  it('takes a body of one MiB, and refuses a larger one', async () => {
    const post = (bytes: number) =>
      call('/', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify('a'.repeat(bytes - 2)),
      });
    expect(await (await post(MIB)).json()).toEqual({ bytes: MIB });
    expect(await envelopeOf(await post(MIB + 1))).toMatchObject({
      code: 'invalid_request',
      message: 'The body is larger than this route takes.',
    });
  });

  describe.each([
    ['an unknown path', 'POST /nowhere', 404],
    ['a method that a path does not take', 'PUT /refused', 405],
    ['a route with a body that is too large', 'POST /', 400],
    ['a route with text', 'POST /', 400],
    ['a route that reads no body', 'GET /things/figures', 200],
    ['the head of a route', 'HEAD /things/figures', 200],
    ['what a browser asks first', 'OPTIONS /things/figures', 405],
  ] as const)('answers %s', (what, line, status) => {
    const type = what.endsWith('text') ? 'text/plain' : 'application/json';
    it.each([
      ['with its length', `content-length: ${String(600 * MIB)}\r\n`, ''],
      ['in chunks', 'transfer-encoding: chunked\r\n', '100000\r\n'],
    ])(
      'before the second MiB of its body, %s, is read, and closes the connection',
      async (_, header, chunk) => {
        const { answer, readBytes } = await sendEndlessly(
          server,
          `${line} HTTP/1.1\r\nhost: a\r\ncontent-type: ${type}\r\n${header}\r\n`,
          chunk,
        );
        expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
        expect(answer).toMatch(/^connection: close/im);
        expect(readBytes).toBeLessThan(2 * MIB);
      },
    );
  });

  it.each([
    ['stands still', { idleMs: 50, wholeMs: 60_000 }, 60_000],
    ['drips', { idleMs: 10_000, wholeMs: 200 }, 20],
  ])('answers a body that %s, and closes its connection', async (_, bodyTime, pauseMs) => {
    const slow = await startServer({ bodyTime });
    const socket = connect(slow.addresses()[0]!.port, '127.0.0.1').on('error', () => undefined);
    socket.write(
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n"',
    );
    const drip = setInterval(() => socket.write('a'), pauseMs);
    const answer = await text(socket);
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toMatch(/^connection: close/im);
    expect(answer).toContain('The body took too long to arrive.');
    await slow.close();
  });

  it('lets an answer take longer than a body may', async () => {
    const slow = createHttpServer({ logger, bodyTime: { idleMs: 2_000, wholeMs: 2_000 } });
    slow.post('/', () => new Promise((resolve) => setTimeout(resolve, 2_500, { ok: true })));
    await slow.listen({ port: 0, host: '127.0.0.1' });
    const answer = await fetch(slow.listeningOrigin, { method: 'POST', body: '{}', headers: JSON_BODY });
    expect(await answer.json()).toEqual({ ok: true });
    await slow.close();
  });

  it('answers a request that has a short body which no route reads', async () => {
    const answer = await sendRaw(
      server,
      'GET /things/figures HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 [^]*\{\}$/);
  });

  it('answers a small request on an unknown path whole', async () => {
    const answer = await call('/nowhere', { method: 'POST', body: '{}' });
    expect(answer.status).toBe(404);
    expect((await envelopeOf(answer)).code).toBe('not_found');
  });

  it.each([
    ['is no HTTP', 'hello\r\n\r\n'],
    ['has headers of many kilobytes', `GET / HTTP/1.1\r\nhost: a\r\nx-a: ${'a'.repeat(20_000)}\r\n\r\n`],
  ])('answers a connection that %s without telling what it runs on', async (_, bytes) => {
    const answer = await sendRaw(server, bytes);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer).not.toMatch(/fastify|HPE_|\bat\b.*\.[jt]s/i);
    expect(answer).toMatch(/"retriable":false/);
    expect(answer).toMatch(/^x-request-id: req_/im);
  });

  it('uses a service’s explanation of an error where there is one', async () => {
    const explained = await startServer({
      explainError: (thrown) =>
        String(thrown).includes('hunter2')
          ? new GatewayError('overloaded', 'The database is away.', { cause: thrown })
          : thrown,
    });
    const statuses = ['/broken', '/odd', '/refused', '/nowhere'].map(async (path) => {
      const answer = await fetch(explained.listeningOrigin + path);
      return [answer.status, (await envelopeOf(answer)).message];
    });
    expect(await Promise.all(statuses)).toEqual([
      [503, 'The database is away.'],
      [503, 'The database is away.'],
      [429, 'Slow down.'],
      [404, 'There is nothing at this path.'],
    ]);
    await explained.close();
  });

  it('lets a protocol render the envelope, by path without query', async () => {
    const messages = await startServer({
      renderError: (path, envelope) => (path === '/nowhere' ? { type: 'error', ...envelope } : envelope),
    });
    const rendered = await fetch(`${messages.listeningOrigin}/nowhere?a=b`);
    const plain = await fetch(`${messages.listeningOrigin}/refused`);
    await messages.close();
    expect(await rendered.json()).toMatchObject({ type: 'error', error: { code: 'not_found' } });
    expect(await plain.json()).not.toHaveProperty('type');
  });
});

it('a server that closes still answers what comes on a connection that is open, and then closes that', async () => {
  const server = createHttpServer({ logger });
  let finish: (body: string) => void = () => undefined;
  server.get('/slow', () => new Promise<string>((resolve) => (finish = resolve)));
  server.get('/', () => 'served');
  await server.listen({ port: 0, host: '127.0.0.1' });
  const socket = connect(server.addresses()[0]!.port, '127.0.0.1');
  const answers = text(socket);
  socket.write('GET /slow HTTP/1.1\r\nHost: svc\r\n\r\n');
  await once(server.server, 'request');
  const closed = server.close();
  await new Promise(setImmediate);
  socket.write('GET / HTTP/1.1\r\nHost: svc\r\n\r\n');
  await once(server.server, 'request');
  finish('served late');
  await closed;
  const [late = '', last = ''] = (await answers).split(/(?<=served late)/);
  expect(late).toMatch(/^HTTP\/1\.1 200 /);
  expect(last).toMatch(/^HTTP\/1\.1 200 [^]*\r\nconnection: close\r\n[^]*\r\n\r\nserved$/i);
});

it('a server that closes does not wait for a connection on which nothing was ever sent', async () => {
  const server = await startServer();
  const unused = connect(server.addresses()[0]!.port, '127.0.0.1');
  await once(unused, 'connect');
  const ended = once(unused, 'close');
  await server.close();
  await ended;
});
