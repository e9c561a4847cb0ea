import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiModule, sessionRoutes } from '@svc/api';
import { oauthProtocolRoutes, oauthResources } from '@svc/api/oauth-routes';
import { type KnownCallers } from '@svc/access';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { createHttpServer, MountedAdapter } from '@svc/http';
import { createLogger } from '@svc/runtime/observability';
import { FakeClock, OpenApiDocument } from '@svc/testing';
import { startAuth, type AuthUnderTest } from './testing/auth-under-test';

const BASE_URL = 'http://svc.example';

/** The document of a service that has only the descriptions, made as the management service makes it. */
async function documentOfDescriptions(): Promise<OpenApiDocument> {
  const logger = createLogger({ service: 'management', level: 'silent' });
  const server = createHttpServer({ logger });
  const nobody: KnownCallers = {
    directory: {
      apiKey: () => Promise.resolve(null),
      session: () => Promise.resolve(null),
      accessToken: () => Promise.reject(new Error('Nobody calls here.')),
    },
    accessTokens: { verify: () => Promise.reject(new Error('Nobody calls here.')) },
  };
  @Module({
    imports: [
      ApiModule.register({
        approvedCalls: {
          isDue: () => Promise.resolve(false),
          claim: () => Promise.resolve(null),
          execute: () => Promise.resolve(),
        },
        ...nobody,
        server,
        logger,
        baseUrl: BASE_URL,
        platformTokenSha256: () => Promise.resolve(Buffer.alloc(32)),
        otherRoutes: [sessionRoutes, oauthProtocolRoutes],
        otherResources: oauthResources,
      }),
    ],
  })
  class Descriptions {}
  const app = await NestFactory.create(Descriptions, new MountedAdapter(server), {
    logger: false,
    abortOnError: false,
  });
  await app.listen(0, '127.0.0.1');
  try {
    return await OpenApiDocument.readFrom(await app.getUrl());
  } finally {
    await app.close();
  }
}

describe('the descriptions of the auth service’s routes', () => {
  let store: TestDatabase;
  let auth: AuthUnderTest;
  let described: OpenApiDocument;
  beforeAll(async () => {
    store = await openTestDatabase();
    const { database } = store;
    auth = await startAuth({ database, clock: new FakeClock(), baseUrl: BASE_URL });
    described = await documentOfDescriptions();
  });
  afterAll(async () => {
    await auth.close();
    await store.close();
  });

  it('name what it serves, and nothing else', () => {
    const named = described.operations.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(named)).toEqual(new Set(auth.routes.map(({ method, path }) => `${method} ${path}`)));
  });

  it('say of each resource what the document of the service itself says', async () => {
    const own = await OpenApiDocument.readFrom(auth.url);
    const byId = new Map(described.operations.map((operation) => [operation.operationId, operation]));
    for (const operation of own.operations) expect(byId.get(operation.operationId)).toEqual(operation);
    expect(own.operations.length).toBeGreaterThan(15);
  });
});
