import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request, type RequestListener, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

let proxy: ChildProcess;
let servers: Server[];
beforeEach(() => {
  servers = [];
});
afterEach(async () => {
  proxy.kill('SIGKILL');
  await Promise.all(
    servers.map((server) => {
      server.closeAllConnections();
      return once(server.close(), 'close');
    }),
  );
});

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
};
const named = (name: string) =>
  serve((incoming, answer) => answer.end(`${name} ${String(incoming.method)} ${String(incoming.url)}`));
const startProxy = async (services: Record<string, string>): Promise<string> => {
  const definitions = Object.entries(services).map((entry) => entry.join('='));
  proxy = spawn(process.execPath, [join(__dirname, 'proxy.mjs'), '0', ...definitions], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface(proxy.stdout!)) return line;
  throw new Error('The proxy did not start.');
};

describe('the proxy before separate services', () => {
  it('sends every path of the reference to the service that owns it', async () => {
    const base = await startProxy({
      edge: await named('edge'),
      auth: await named('auth'),
      management: await named('management'),
      console: await named('console'),
    });
    const owners: Record<string, readonly string[]> = {
      edge: ['/v1/models', '/v1/v1/messages', '/readyz', '/v1?a=/api/v1', '/consoles', '/operators'],
      auth: [
        '/auth/login',
        '/.well-known/jwks.json',
        '/api/v1/oauth/token',
        '/api/v1/oauth-apps/oap_1',
        '/api/v1/organizations/org_1/oauth-apps?limit=1',
      ],
      management: [
        '/api/v1/oauthx',
        '/api/v1/api-keys',
        '/api/v1/organizations/org_1/webhooks',
        '/platform/v1/organizations',
        '/status',
        '/status/summary.json',
      ],
      console: [
        '/',
        '/?a=1',
        '/console',
        '/console/',
        '/console/keys?state=active',
        '/console/assets/app.js',
        '/operator',
        '/operator/organizations/org_1',
      ],
    };
    for (const [owner, paths] of Object.entries(owners)) {
      for (const path of paths) {
        expect(await (await fetch(base + path)).text()).toBe(`${owner} GET ${path}`);
      }
    }
  });

  it('hands on bodies, and tells where a call came from', async () => {
    const edge = await serve((incoming, answer) => {
      answer.writeHead(201, {
        'x-host': incoming.headers.host,
        'x-for': incoming.headers['x-forwarded-for'],
      });
      incoming.pipe(answer);
    });
    const base = await startProxy({ edge });
    const body = 'ü'.repeat(1_000_000);
    const answer = await fetch(`${base}/v1/x`, {
      method: 'POST',
      body,
      headers: { 'x-forwarded-for': '192.0.2.1' },
    });
    expect(await answer.text()).toBe(body);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-host')).toBe(new URL(base).host);
    expect(answer.headers.get('x-for')).toBe('192.0.2.1, 127.0.0.1');
  });

  it('hands on a stream as it comes, and cuts it where the service cuts it', async () => {
    let cut: () => void = () => undefined;
    const edge = await serve((_incoming, answer) => {
      answer.write('data: 1\n\n');
      cut = () => answer.destroy();
    });
    const { body } = await fetch(`${await startProxy({ edge })}/v1/x`);
    const reader = body!.getReader();
    const first = (await reader.read()) as { value: Uint8Array };
    expect(Buffer.from(first.value).toString()).toBe('data: 1\n\n');
    cut();
    await expect(reader.read()).rejects.toThrow('terminated');
  });

  it('tells the service when the caller has gone', async () => {
    let onGone: (gone: string) => void;
    const gone = new Promise<string>((resolve) => (onGone = resolve));
    const edge = await serve((_incoming, answer) => {
      answer.write('data: 1\n\n');
      answer.once('close', () => onGone('gone'));
    });
    const outgoing = request(`${await startProxy({ edge })}/v1/x`).end();
    await once(outgoing, 'response');
    outgoing.destroy();
    outgoing.on('error', () => undefined);
    expect(await gone).toBe('gone');
  });

  it('takes turns among processes of a service, passes over one that is down, and says when none is up', async () => {
    const first = await named('first');
    const second = await named('second');
    const base = await startProxy({
      edge: `${first},http://127.0.0.1:1,${second}`,
      auth: 'http://127.0.0.1:1',
    });
    const answers = [];
    for (let n = 0; n < 9; n++) answers.push((await (await fetch(`${base}/v1`)).text()).split(' ')[0]);
    expect(new Set(answers)).toEqual(new Set(['first', 'second']));
    expect((await fetch(`${base}/auth/login`)).status).toBe(502);
    expect((await fetch(`${base}/platform/v1`)).status).toBe(502);
  });
});
