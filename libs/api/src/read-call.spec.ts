import { createHash } from 'node:crypto';
import { type AddressInfo } from 'node:net';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type ErrorEnvelope } from '@svc/kernel';
import { createHttpServer, MountedAdapter } from '@svc/http';
import { createLogger } from '@svc/runtime/observability';
import { z } from 'zod';
import { ApiModule } from './api.module';
import { OperatorResource } from './resource';
import { type Call } from './route';
import { Act, ActWith, Create, Remove, Replace } from './verbs';

const OPERATOR = 'svc_pt_of-the-operator';
const unused = () => Promise.reject(new Error('nobody asks for it here'));

const answer = z.object({ body: z.unknown() });
const named = z.strictObject({ name: z.string() });
const optional = z.strictObject({ name: z.string().optional() });
const open = { permission: null, scope: null } as const;
const echo = ({ body }: { readonly body?: unknown }) => Promise.resolve({ body: body ?? null });

@OperatorResource({
  path: 'things',
  one: 'Thing',
  many: 'Things',
  tag: 'Things',
  description: 'For this spec.',
})
class ThingsController {
  @Create('', { summary: 'Makes.', ...open, body: named, answer })
  create(call: Call<{ body: typeof named }>) {
    return echo(call);
  }

  @Replace('', { summary: 'Replaces.', ...open, body: optional, answer })
  replace(call: Call<{ body: typeof optional }>) {
    return echo(call);
  }

  @Act('turn', { summary: 'Acts.', ...open, answer })
  turn(call: Call) {
    return echo(call);
  }

  @ActWith('tune', { summary: 'Acts with what may be left out.', ...open, body: optional, answer })
  tune(call: Call<{ body: typeof optional }>) {
    return echo(call);
  }

  @Remove('', { summary: 'Removes.', ...open })
  remove() {
    return Promise.resolve();
  }
}

const logger = createLogger({ service: 'spec', level: 'info' }, { write: () => undefined });
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
      directory: { apiKey: unused, session: unused, accessToken: unused },
      accessTokens: { verify: unused },
      platformTokenSha256: () => Promise.resolve(createHash('sha256').update(OPERATOR).digest()),
    }),
  ],
  controllers: [ThingsController],
})
class Composition {}

describe('a call without a body', () => {
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    app = await NestFactory.create(Composition, new MountedAdapter(server), { logger: false });
    await app.listen(0, '127.0.0.1');
    url = `http://127.0.0.1:${String((server.server.address() as AddressInfo).port)}/platform/v1/things`;
  });
  afterAll(() => app.close());

  const ask = (method: string, path: string, contentType: string | null, body?: string) =>
    fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${OPERATOR}`,
        ...(contentType === null ? {} : { 'content-type': contentType }),
      },
      ...(body === undefined ? {} : { body }),
    });

  // Many clients set the content type on every call.
  describe.each([
    [null, undefined],
    ['application/json', undefined],
    ['application/json', ''],
    ['application/json; charset=utf-8', ''],
    ['application/x-www-form-urlencoded', ''],
  ])('of the type %j (%j)', (contentType, body) => {
    it('is one for a route that takes none', async () => {
      const acted = await ask('POST', '/turn', contentType, body);
      expect([acted.status, await acted.json()]).toEqual([200, { body: null }]);
      expect((await ask('DELETE', '', contentType, body)).status).toBe(204);
    });

    it('gives none of the fields that may be left out', async () => {
      const acted = await ask('POST', '/tune', contentType, body);
      expect([acted.status, await acted.json()]).toEqual([200, { body: {} }]);
    });

    it.each([
      ['POST', 'name', 'name'],
      ['PUT', undefined, 'body'],
    ])('is a mistake where one is needed: %s', async (method, param, said) => {
      const refused = await ask(method, '', contentType, body);
      const { error } = (await refused.json()) as ErrorEnvelope;
      expect(refused.status).toBe(400);
      expect(error).toMatchObject({ type: 'invalid_request', code: 'invalid_request', retriable: false });
      expect(error.param).toBe(param);
      expect(error.message).toContain(said);
    });
  });

  it.each(['{', ' ', 'null'])('is not what %j is', async (body) => {
    for (const path of ['', '/tune'])
      expect((await ask('POST', path, 'application/json', body)).status).toBe(400);
  });
});
