import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { post } from './harness/clients';
import { sharedSvc, type SharedSvc } from './harness/shared-svc';
import { callApi } from './oauth/oauth-app';

/** Attacks that have worked on another gateway, by the names of their advisories. */

const CALL = { model: 'simulator/echo', max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] };
/** Each needs a key, and is asked without a body, which nobody reads before it knows the caller. */
const PROTECTED = [
  'GET /api/v1/keys',
  'GET /api/v1/wallet',
  'GET /v1/models',
  'GET /platform/v1/organizations',
  'POST /v1/chat/completions',
  'POST /v1/messages',
  'GET /v1/files',
] as const;

let svc: SharedSvc;
beforeAll(async () => {
  svc = await sharedSvc();
});

/** One request, byte for byte, as no HTTP client would send it. @returns the status. */
async function statusOf(target: string, host: string, headers: Readonly<Record<string, string>> = {}) {
  const { hostname, port } = new URL(svc.baseUrl);
  const lines = Object.entries({ host, connection: 'close', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const socket = connect(Number(port), hostname);
  socket.write(`${target} HTTP/1.1\r\n${lines.join('')}\r\n`);
  return Number((await text(socket)).split(' ')[1]);
}

const statusesWith = async (credential: string): Promise<number[]> => {
  const answers = await Promise.all([
    post({ ...svc, apiKey: credential }, '/v1/chat/completions', CALL),
    fetch(`${svc.baseUrl}/v1/models`, { headers: { 'x-api-key': credential } }),
    fetch(`${svc.baseUrl}/api/v1/keys`, { headers: { authorization: `Bearer ${credential}` } }),
    fetch(`${svc.baseUrl}/platform/v1/organizations`, { headers: { authorization: `Bearer ${credential}` } }),
  ]);
  await Promise.all(answers.map((answer) => answer.text()));
  return answers.map(({ status }) => status);
};

describe('CVE-2026-35030: a cache of credentials that is keyed by a part of each', () => {
  it('a credential that begins or ends like one that was just used is nobody’s', async () => {
    const { apiKey, platformToken } = svc;
    expect((await post(svc, '/v1/chat/completions', CALL)).status).toBe(200);
    for (const good of [apiKey, platformToken ?? '']) {
      const letter = good.endsWith('a') ? 'b' : 'a';
      const likes = [good.slice(0, -1) + letter, good.slice(0, 20) + letter.repeat(good.length - 20)];
      for (const like of [...likes, good.slice(0, -1), good + letter, good.toUpperCase()])
        expect(await statusesWith(like)).toEqual([401, 401, 401, 401]);
    }
    expect((await post(svc, '/v1/chat/completions', CALL)).status).toBe(200);
  });

  it('an access token with the header of another one is nobody’s', async () => {
    const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const header = base64url({ alg: 'RS256', typ: 'at+jwt', kid: 'k'.repeat(100) });
    for (let nth = 0; nth < 20; nth++) {
      const forged = `${header}.${base64url({ sub: svc.ready.organization_id, nth })}.${'A'.repeat(86)}`;
      expect(await statusesWith(forged)).toEqual([401, 401, 401, 401]);
    }
  });
});

describe('CVE-2026-42208: SQL in a credential', () => {
  it.each([
    `' OR '1'='1`,
    `svc_sk_' OR 1=1 --`,
    `svc_sk_'; DROP TABLE api_keys; --`,
    `svc_sk_' UNION SELECT id FROM api_keys LIMIT 1 --`,
    `svc_sk_"; SELECT pg_sleep(60); --`,
    `svc_sk_%`,
    `svc_sk_$1`,
    `${'svc_sk_'}\\'`,
  ])('is a credential that nobody has: %s', async (credential) => {
    expect(await statusesWith(credential)).toEqual([401, 401, 401, 401]);
    expect((await callApi(svc.baseUrl, 'GET', '/api/v1/keys', svc.apiKey)).status).toBe(200);
  });
});

describe('CVE-2026-49468: a path in the header Host', () => {
  const HOSTS = [
    'localhost/healthz?',
    'localhost/v1/health#',
    'a/status/summary.json?x=',
    '/readyz',
    'a:80/healthz',
  ];

  it.each(PROTECTED)('does not open %s', async (route) => {
    for (const host of HOSTS) expect([400, 401]).toContain(await statusOf(route, host));
    const headers = {
      'x-forwarded-host': 'localhost/healthz?',
      'x-original-url': '/healthz',
      'x-rewrite-url': '/healthz',
    };
    expect(await statusOf(route, 'localhost', headers)).toBe(401);
  });

  it('does not open what a request target in absolute form names, either', async () => {
    for (const route of PROTECTED) {
      const [method = '', path = ''] = route.split(' ');
      expect(await statusOf(`${method} http://localhost/healthz@a${path}`, 'localhost')).not.toBe(200);
      expect(await statusOf(`${method} http://healthz${path}`, 'a/healthz?')).toBe(401);
    }
  });

  it('gets into no link that is mailed or shown', async () => {
    const body = JSON.stringify({ email: 'host@example.com', role: 'viewer' });
    const { hostname, port } = new URL(svc.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /api/v1/members/invitations HTTP/1.1\r\nhost: evil.example\r\nx-forwarded-host: evil.example\r\nforwarded: host=evil.example\r\n` +
        `authorization: Bearer ${svc.apiKey}\r\ncontent-type: application/json\r\nconnection: close\r\n` +
        `content-length: ${String(body.length)}\r\n\r\n${body}`,
    );
    const answer = await text(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(answer).toContain(`"accept_url":"${new URL(svc.baseUrl).origin}/`);
    expect(answer).not.toContain('evil.example');
  });
});
