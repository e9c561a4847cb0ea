import { createHash } from 'node:crypto';
import { type AddressInfo } from 'node:net';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  apiKeyHash,
  csrfTokenFor,
  formatApiKeySecret,
  formatSecret,
  secretHash,
  type AccessTokenReader,
  type CallerDirectory,
} from '@svc/access';
import { GatewayError } from '@svc/kernel';
import { createHttpServer, MountedAdapter } from '@svc/http';
import { systemIds } from '@svc/runtime';
import { createLogger } from '@svc/runtime/observability';
import { eventually } from '@svc/testing';
import { z } from 'zod';
import { ApiModule } from '../api.module';
import { OperatorResource, Resource } from '../resource';
import { type Call } from '../route';
import { Create, Get } from '../verbs';

const ours = systemIds('organization');
const second = systemIds('organization');
const foreign = systemIds('organization');
const secretBytes = (fill: number) => new Uint8Array(32).fill(fill);
const key = formatApiKeySecret(secretBytes(1));
const deadKey = formatApiKeySecret(secretBytes(2));
const session = formatSecret('session', secretBytes(3));
const wideSession = formatSecret('session', secretBytes(4));
const OPERATOR = 'svc_pt_of-the-operator';

/** A hand-made directory in place of a database. */
const directory: CallerDirectory = {
  apiKey: (sha256) => {
    const live = sha256.equals(apiKeyHash(key));
    const facts = { id: 'key_1', organizationId: ours, projectId: null, scopes: ['wallet:read'], live };
    return Promise.resolve(live || sha256.equals(apiKeyHash(deadKey)) ? facts : null);
  },
  session: (sha256) => {
    const one = { organizationId: ours, organizationState: 'active' as const, role: 'owner' as const };
    const two = { ...one, organizationId: second, role: 'developer' as const };
    if (sha256.equals(secretHash(session))) return Promise.resolve({ userId: 'usr_1', memberships: [one] });
    if (sha256.equals(secretHash(wideSession)))
      return Promise.resolve({ userId: 'usr_2', memberships: [one, two] });
    return Promise.resolve(null);
  },
  accessToken: (jti) => {
    if (jti === 'revoked') throw new GatewayError('tokenRevoked', 'Revoked.');
    const role = jti === 'demoted' ? ('developer' as const) : ('owner' as const);
    const facts = { userId: 'usr_1', appId: 'oapp_1', organizationId: ours, role };
    return Promise.resolve({ ...facts, scopes: ['wallet:read' as const] });
  },
};
const accessTokens: AccessTokenReader = {
  verify: (jwt) => {
    const jti = jwt.split('.')[1] ?? '';
    if (jti === 'forged') return Promise.reject(new GatewayError('invalidToken', 'Not valid.'));
    return Promise.resolve({ jti });
  },
};

const wallet = z.object({ of: z.string(), actor: z.string() });
const definition = { one: 'Wallet', many: 'Wallets', tag: 'Wallets', description: 'For this spec.' };
type Called = Pick<Call, 'caller'>;
const seen = ({ caller }: Called) => Promise.resolve({ of: caller.organizationId, actor: caller.actor.type });

@Resource({ ...definition, path: 'wallet' })
class WalletController {
  @Get('', { summary: 'Reads.', permission: 'wallet:read', scope: 'wallet:read', answer: wallet })
  read(call: Called) {
    return seen(call);
  }

  @Create('', {
    summary: 'Writes.',
    permission: 'wallet:write',
    scope: null,
    body: z.strictObject({}),
    answer: wallet,
  })
  write(call: Called) {
    return seen(call);
  }
}

@OperatorResource({ ...definition, path: 'wallets' })
class WalletsController {
  @Get('', { summary: 'Reads.', permission: null, scope: null, answer: wallet })
  read(call: Called) {
    return seen(call);
  }
}

const logged: string[] = [];
const logger = createLogger({ service: 'spec', level: 'info' }, { write: (line) => void logged.push(line) });
const server = createHttpServer({ logger });

@Module({
  imports: [
    ApiModule.register({
      approvedCalls: {
        isDue: () => Promise.resolve(false),
        claim: () => Promise.resolve(null),
        execute: () => Promise.resolve(),
      },
      server,
      logger,
      baseUrl: 'https://svc.example',
      directory,
      accessTokens,
      platformTokenSha256: () => Promise.resolve(createHash('sha256').update(OPERATOR).digest()),
    }),
  ],
  controllers: [WalletController, WalletsController],
})
class Composition {}

describe('the callers of the management API', () => {
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    app = await NestFactory.create(Composition, new MountedAdapter(server), { logger: false });
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${String((server.server.address() as AddressInfo).port)}`;
  });
  afterAll(() => app.close());

  const ask = async (headers: Record<string, string>, path = '/api/v1/wallet', method = 'GET') => {
    const response = await fetch(url + path, { method, headers });
    const body = (await response.json()) as { error?: { code: string; message: string; param?: string } };
    return { status: response.status, headers: response.headers, body };
  };
  const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });
  const cookie = (secret: string) => ({ cookie: `theme=dark; svc_session=${secret}` });

  it.each([
    ['a key as bearer', bearer(key), 'api_key'],
    ['a key in x-api-key', { 'x-api-key': key }, 'api_key'],
    ['an access token', bearer('a.good.c'), 'oauth_app'],
    ['a session', cookie(session), 'user'],
  ])('are known by %s, and answered without a cache', async (_, headers, actor) => {
    const answer = await ask(headers);
    expect(answer).toMatchObject({ status: 200, body: { of: ours, actor } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('are refused in the same words whatever is wrong with a key or a session', async () => {
    const unknown = formatApiKeySecret(secretBytes(9));
    const answers = await Promise.all(
      [
        {},
        bearer(deadKey),
        bearer(unknown),
        bearer('nonsense'),
        { 'x-api-key': '' },
        { authorization: 'Basic x' },
        cookie(formatSecret('session', secretBytes(9))),
      ].map((headers) => ask(headers as Record<string, string>)),
    );
    const said = answers.map(
      ({ status, body }) => `${String(status)} ${body.error!.code} ${body.error!.message}`,
    );
    expect(new Set(said)).toEqual(new Set(['401 invalid_api_key The API key is missing or not valid.']));
  });

  it('are not taken for a cookie’s user when a header says otherwise', async () => {
    expect((await ask({ ...cookie(session), ...bearer(deadKey) })).status).toBe(401);
  });

  it('learn whether their access token is forged or revoked', async () => {
    expect((await ask(bearer('a.forged.c'))).body.error!.code).toBe('invalid_token');
    expect((await ask(bearer('a.revoked.c'))).body.error!.code).toBe('token_revoked');
  });

  it('by access token reach what a scope opens, and only while the role allows it', async () => {
    expect((await ask(bearer('a.good.c'), '/api/v1/wallet', 'POST')).body.error!.code).toBe(
      'insufficient_scope',
    );
    expect((await ask(bearer('a.demoted.c'))).body.error!.code).toBe('permission_denied');
  });

  it('by key do what the key’s scopes name and no more', async () => {
    expect(await ask(bearer(key), '/api/v1/wallet', 'POST')).toMatchObject({
      status: 403,
      body: { error: { code: 'permission_denied', message: 'This needs the permission wallet:write.' } },
    });
  });

  it('write by cookie only with the session’s own CSRF token', async () => {
    const write = (csrf: Record<string, string>) =>
      ask({ ...cookie(session), ...csrf }, '/api/v1/wallet', 'POST');
    expect((await write({})).body.error).toMatchObject({ code: 'permission_denied', param: 'X-CSRF-Token' });
    expect((await write({ 'x-csrf-token': csrfTokenFor(wideSession) })).status).toBe(403);
    expect((await write({ 'x-csrf-token': csrfTokenFor(session) })).status).toBe(201);
  });

  it('in several organizations name the one they mean, by path or header', async () => {
    expect((await ask(cookie(wideSession))).body.error).toMatchObject({
      code: 'invalid_request',
      param: 'Svc-Organization',
    });
    const byHeader = { ...cookie(wideSession), 'svc-organization': ours };
    expect((await ask(byHeader)).body).toMatchObject({ of: ours });
    expect(await ask(cookie(wideSession), `/api/v1/organizations/${ours}/wallet`)).toMatchObject({
      status: 200,
      body: { of: ours },
    });
    // The user's role allows less there.
    expect((await ask(cookie(wideSession), `/api/v1/organizations/${second}/wallet`)).status).toBe(403);
  });

  it.each([
    ['another organization', foreign],
    ['no organization at all', 'acme'],
  ])('find nothing at the path of %s', async (_, id) => {
    const answer = await ask(bearer(key), `/api/v1/organizations/${id}/wallet`);
    expect(answer).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found', message: 'There is no such organization.' } },
    });
    expect((await ask({ ...bearer(key), 'svc-organization': id })).status).toBe(404);
  });

  it('leave one line in the log, of who and which route, and nothing that they showed', async () => {
    logged.length = 0;
    await ask(bearer(key), `/api/v1/organizations/${ours}/wallet?note=private`);
    const lines = logged.map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      {
        msg: 'request',
        method: 'GET',
        route: '/api/v1/organizations/:organization_id/wallet',
        status: 400,
        organization_id: ours,
        actor_type: 'api_key',
        actor_id: 'key_1',
        request_id: expect.stringMatching(/^req_/) as string,
      },
    ]);
    expect(logged.join()).not.toMatch(/private|svc_sk_/);
  });

  it('cannot fill the memory', async () => {
    const response = await fetch(`${url}/api/v1/wallet`, {
      method: 'POST',
      headers: {
        ...cookie(session),
        'x-csrf-token': csrfTokenFor(session),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ filler: 'x'.repeat(2 ** 20) }),
    });
    expect(await response.json()).toMatchObject({
      error: { code: 'invalid_request', message: 'The body is larger than this route takes.' },
    });
  });

  it('at /platform/v1 are the operator and nobody else', async () => {
    expect((await ask(bearer(OPERATOR), '/platform/v1/wallets')).body).toMatchObject({ actor: 'operator' });
    for (const headers of [{}, bearer(key), bearer(`${OPERATOR}x`), cookie(session)])
      expect((await ask(headers as Record<string, string>, '/platform/v1/wallets')).status).toBe(401);
    expect((await ask(bearer(OPERATOR))).status).toBe(401);
  });

  it('at /platform/v1 have few guesses at the operator’s token; other credentials are none', async () => {
    const statusOf = async (shown: string) =>
      (await ask(bearer(shown) as Record<string, string>, '/platform/v1/wallets')).status;
    for (let time = 0; time < 100; time++) expect(await statusOf(key)).toBe(401);
    const statuses = [];
    for (let guess = 0; guess < 100; guess++) statuses.push(await statusOf(`svc_pt_guess-${String(guess)}`));
    expect(statuses[0]).toBe(401);
    expect(statuses).toContain(429);
    // A guess is forgotten each second, which may pass before the token itself is shown.
    await eventually(async () => {
      while ((await statusOf('svc_pt_guess')) !== 429);
      expect(await statusOf(OPERATOR)).toBe(429);
    });
  });
});
