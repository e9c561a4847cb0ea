import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type FastifyInstance } from 'fastify';
import { type ErrorEnvelope } from '@svc/kernel';
import { createHttpServer } from '@svc/http';
import { createLogger } from '@svc/runtime/observability';
import { readBuiltFiles } from './files/built-files';
import { serveApplication } from './serve-application';
import { serveConsole } from './serve-console';

const START = '<!doctype html><title>Svc</title>';
const OVERVIEW = '<!doctype html><title>Overview · Svc</title>';
const OPERATOR = '<!doctype html><title>Operator · Svc</title>';
const SCRIPT = 'export const one = 1;\n'.repeat(50);
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

let folder: string;
let server: FastifyInstance;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-console-'));
  write('secret.txt', 'hunter2');
  write('web/index.html', START);
  write('web/index.html.br', brotliCompressSync(START));
  write('web/overview.html', OVERVIEW);
  write('web/overview.html.br', brotliCompressSync(OVERVIEW));
  write('operator/index.html', OPERATOR);
  write('operator/assets/own-BzX2.js', SCRIPT);
  write('web/favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  write('web/assets/app-BzX1.js', SCRIPT);
  write('web/assets/app-BzX1.js.br', brotliCompressSync(SCRIPT));
  write('web/assets/app-BzX1.js.gz', gzipSync(SCRIPT));
  const logger = createLogger({ service: 'console', level: 'silent' });
  server = createHttpServer({ logger });
  serveConsole(server, readBuiltFiles(join(folder, 'web')));
  serveApplication(server, '/operator', readBuiltFiles(join(folder, 'operator')));
  await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function write(path: string, contents: string | Buffer): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), contents);
}
const call = (path: string, init?: RequestInit) => fetch(server.listeningOrigin + path, init);
const withEncoding = (path: string, encoding: string) =>
  call(path, { headers: { 'accept-encoding': encoding } });

/** The status and the head of an answer to a path that `fetch` would change. */
async function headAt(path: string): Promise<string> {
  const socket = connect(server.addresses()[0]!.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.end(`GET ${path} HTTP/1.1\r\nHost: svc\r\nConnection: close\r\n\r\n`);
  return text(socket);
}

describe('the console', () => {
  it.each(['/console', '/console/', '/console/?period=7d'])(
    'answers %s with the start page that loads the overview at once',
    async (path) => {
      const answer = await call(path);
      expect([answer.status, await answer.text()]).toEqual([200, OVERVIEW]);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    },
  );

  it.each([
    '/console/requests?status=failed',
    '/console/keys/key_06dpm2q4x8k3c0v9r7t5w1hzny',
    '/console/models/openai/gpt-4.1',
    '/console/index.html',
  ])('answers %s with the start page, which a browser must ask for again', async (path) => {
    const answer = await call(path);
    expect([answer.status, await answer.text()]).toEqual([200, START]);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-cache');
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]+"$/);
  });

  it('lets a browser keep what has a hash in its name, and nothing else', async () => {
    const script = await call('/console/assets/app-BzX1.js');
    expect(await script.text()).toBe(SCRIPT);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const icon = await call('/console/favicon.svg');
    expect(icon.headers.get('content-type')).toBe('image/svg+xml');
    expect(icon.headers.get('cache-control')).toBe('no-cache');
  });

  it.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['br; q=0.1', 'br'],
    ['identity', null],
    ['', null],
  ])('sends the form that Accept-Encoding “%s” allows: %s', async (accepted, encoding) => {
    const answer = await withEncoding('/console/assets/app-BzX1.js', accepted);
    expect(answer.headers.get('content-encoding')).toBe(encoding);
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    // `fetch` has decoded it.
    expect(await answer.text()).toBe(SCRIPT);
  });

  it('sends the file as it is where the build made no such form', async () => {
    const answer = await withEncoding('/console/', 'gzip');
    expect([answer.headers.get('content-encoding'), await answer.text()]).toEqual([null, OVERVIEW]);
  });

  it.each(['/console/', '/console/assets/app-BzX1.js'])(
    'sends nothing of %s to a browser that has it, and each form under a tag of its own',
    async (path) => {
      const tags = await Promise.all(
        ['br', 'identity'].map(async (encoding) => (await withEncoding(path, encoding)).headers.get('etag')!),
      );
      expect(new Set(tags).size).toBe(2);
      for (const tag of [tags[0]!, `"old", W/${tags[0]!}`, '*']) {
        const again = await call(path, { headers: { 'accept-encoding': 'br', 'if-none-match': tag } });
        expect([tag, again.status, await again.text()]).toEqual([tag, 304, '']);
        expect(again.headers.get('etag')).toBe(tags[0]);
        expect(again.headers.get('cache-control')).not.toBeNull();
      }
      const other = await call(path, { headers: { 'accept-encoding': 'br', 'if-none-match': tags[1]! } });
      expect(other.status).toBe(200);
      await other.text();
    },
  );

  it('answers HEAD as GET, without the body', async () => {
    const [head, get] = await Promise.all(
      ['HEAD', 'GET'].map((method) => call('/console/assets/app-BzX1.js', { method })),
    );
    expect([head!.status, await head!.text()]).toEqual([200, '']);
    for (const name of ['content-type', 'etag', 'cache-control'])
      expect(head!.headers.get(name)).toBe(get!.headers.get(name));
    await get!.text();
  });

  it.each(['/console/assets/app-OLD1.js', '/console/robots.txt', '/console/assets/app-BzX1.js.map'])(
    'answers a missing file with 404, not with the start page (%s)',
    async (path) => {
      const answer = await call(path, { headers: { accept: 'text/html' } });
      const { error } = (await answer.json()) as ErrorEnvelope;
      expect([answer.status, error.code]).toEqual([404, 'not_found']);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    },
  );

  it.each(['POST', 'PUT', 'DELETE'])('takes no %s', async (method) => {
    const answer = await call('/console/', { method });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    await answer.text();
  });

  it.each([
    '/console/../secret.txt',
    '/console/../../secret.txt',
    '/console/%2e%2e/secret.txt',
    '/console/..%2fsecret.txt',
    '/console/assets/../../secret.txt',
    '/console/assets/..%5c..%5csecret.txt',
    '/console//secret.txt',
    '/console/%00',
    '/console/models/../../secret.txt',
  ])('leads nowhere else: %s', async (path) => {
    const answer = await headAt(path);
    expect(answer).toMatch(/^HTTP\/1\.1 (404|200) /);
    expect(answer).not.toContain('hunter2');
  });

  it.each([
    '/console',
    '/console/',
    '/console/x.js',
    '/console/assets/app-BzX1.js',
    '/console/%ff',
    '/%63onsole/',
  ])('keeps foreign code out with every answer (%s)', async (path) => {
    for (const init of [{}, { method: 'POST' }, { headers: { 'if-none-match': '*' } }]) {
      const answer = await call(path, init);
      await answer.text();
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-security-policy': POLICY,
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
      });
    }
  });

  it('leads a browser from / to itself, and tells a program that nothing is there', async () => {
    const browser = await call('/', { redirect: 'manual', headers: { accept: 'text/html,*/*;q=0.8' } });
    expect([browser.status, browser.headers.get('location')]).toEqual([302, '/console/']);
    const program = await call('/', { redirect: 'manual' });
    expect([program.status, program.headers.get('vary')]).toEqual([404, 'Accept']);
    await program.text();
  });

  it.each(['/consoles', '/operators'])('leaves other paths to others (%s)', async (path) => {
    const answer = await call(path);
    expect([answer.status, answer.headers.get('content-security-policy')]).toEqual([404, null]);
    await answer.text();
  });

  it('does not start where it is not built', () => {
    expect(() => readBuiltFiles(join(folder, 'nowhere'))).toThrow(
      /The console is not built: .*nowhere has no index\.html/,
    );
  });
});

describe('the operator’s console', () => {
  it.each(['/operator', '/operator/', '/operator/organizations/org_1'])(
    'is another application: %s answers its start page, with the headers of the console',
    async (path) => {
      const answer = await call(path);
      expect([answer.status, await answer.text()]).toEqual([200, OPERATOR]);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-security-policy': POLICY,
        'cache-control': 'no-cache',
        'referrer-policy': 'no-referrer',
      });
    },
  );

  it('shares no file with the console', async () => {
    for (const path of ['/console/assets/own-BzX2.js', '/operator/assets/app-BzX1.js']) {
      const answer = await call(path);
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 404, 'no-store']);
      await answer.text();
    }
    expect((await call('/operator/assets/own-BzX2.js')).status).toBe(200);
  });
});
