import { type AddressInfo } from 'node:net';
import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type FastifyInstance } from 'fastify';
import { ApiModule } from '@svc/api';
import { approvedCallQueue } from '@svc/approvals/work';
import { secretHash } from '@svc/access';
import { type Clock, ZERO_NANOS } from '@svc/kernel';
import { type Database, explainFailure } from '@svc/database';
import { type Mailer, createHttpServer, MountedAdapter } from '@svc/http';
import { AccessTokenVerifier } from '@svc/access/access-tokens';
import { bootstrap, CallerStore, SigningKeyStore } from '@svc/access/store';
import { createSealer } from '@svc/runtime';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { mountedRoutes, type MountedRoute } from '@svc/testing';
import { AuthModule } from '../auth.module';
import { type AuthRuntime } from '../runtime';
import { hashPassword } from '../session/password';

export const OWNER = { email: 'owner@example.com', password: 'correct horse battery' } as const;

interface AuthOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly baseUrl?: string;
  readonly organizationName?: string;
  /** Every line that is logged. */
  readonly logged?: string[];
  /** Without one, no mail is sent. */
  readonly mailer?: Mailer;
  /** Routes of other services, for specs that call them. */
  readonly otherControllers?: readonly Type[];
}

export const PLATFORM_TOKEN = 'svc_pt_for-specs-only-0123456789abcdef';

/** The real routes on a port of their own, over a fresh database with one organization and its owner. */
export interface AuthUnderTest {
  readonly url: string;
  readonly organizationId: string;
  /** All mounted routes. */
  readonly routes: readonly MountedRoute[];
  close(): Promise<void>;
}

export async function startAuth(options: AuthOptions): Promise<AuthUnderTest> {
  const { database, clock, baseUrl = 'http://svc.example', logged } = options;
  const { organizationId } = await bootstrap(database, {
    organizationName: options.organizationName ?? 'Acme',
    ownerEmail: OWNER.email,
    ownerPasswordHash: await hashPassword(OWNER.password),
    projectName: 'Default',
    apiKey: { name: 'test', sha256: secretHash('test'), prefix: 'test', scopes: [] },
    credit: ZERO_NANOS,
  });
  const logger = createLogger(
    { service: 'auth', level: logged === undefined ? 'silent' : 'info' },
    { write: (line) => void logged?.push(line) },
  );
  const server = createHttpServer({ logger, explainError: explainFailure });
  const routes = mountedRoutes(server);
  const runtime = {
    server,
    database,
    logger,
    metrics: createMetrics('auth'),
    masterKey: Buffer.alloc(32, 7),
    baseUrl,
    clock,
    ...(options.mailer === undefined ? {} : { mailer: options.mailer }),
  };
  const app = await NestFactory.create(
    compositionOf(server, runtime, options.otherControllers ?? []),
    new MountedAdapter(server),
    { logger: false, abortOnError: false },
  );
  await app.listen(0, '127.0.0.1');
  const { port } = server.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}`, organizationId, routes, close: () => app.close() };
}

function compositionOf(
  server: FastifyInstance,
  runtime: AuthRuntime & { readonly clock: Clock },
  otherControllers: readonly Type[],
): Type {
  const { database, masterKey, baseUrl, clock } = runtime;
  const keys = new SigningKeyStore(database, createSealer(masterKey));
  @Module({
    imports: [
      ApiModule.register({
        server,
        logger: runtime.logger,
        baseUrl,
        directory: new CallerStore(database, clock),
        accessTokens: new AccessTokenVerifier({ keys, clock, issuer: baseUrl, audience: baseUrl }),
        approvedCalls: approvedCallQueue(runtime),
        platformTokenSha256: () => Promise.resolve(secretHash(PLATFORM_TOKEN)),
      }),
      AuthModule.register(runtime),
    ],
    controllers: [...otherControllers],
  })
  class Composition {}
  return Composition;
}
