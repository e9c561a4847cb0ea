import { createHash } from 'node:crypto';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type FastifyInstance } from 'fastify';
import { ApiModule, type ApiRuntime } from '@svc/api';
import { approvedCallQueue } from '@svc/approvals/work';
import {
  apiKeyHash,
  csrfTokenFor,
  formatApiKeySecret,
  formatSecret,
  keyPermissions,
  secretHash,
  visiblePrefix,
  type AccessFacts,
  type CallerDirectory,
  type Permission,
  type Role,
  type Scope,
} from '@svc/access';
import { SessionStore } from '@svc/access/store';
import { openKnownCallers } from '@svc/access/work';
import { parseCatalog } from '@svc/catalog';
import { GatewayError } from '@svc/kernel';
import { explainFailure, type Database } from '@svc/database';
import { openTestDatabase } from '@svc/database/testing';
import { createHttpServer, MountedAdapter } from '@svc/http';
import { systemClock, systemIds } from '@svc/runtime';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { openObjectStore } from '@svc/storage';
import { mountedRoutes, type Json, type MountedRoute } from '@svc/testing';
import { ManagementModule } from '../management.module';
import { type ManagementRuntime, type OpenPayments } from '../runtime';

/** Calls one API as one caller. */
export interface Client {
  /** The headers with the credential. */
  readonly headers: Readonly<Record<string, string>>;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answered>;
  get(path: string): Promise<Answered>;
  post(path: string, body?: unknown): Promise<Answered>;
  patch(path: string, body: unknown): Promise<Answered>;
  put(path: string, body: unknown): Promise<Answered>;
  delete(path: string): Promise<Answered>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

export interface Organization {
  readonly id: string;
  readonly projectId: string;
  readonly ownerId: string;
}

/** The real management API on a port of its own, over the database given. */
export interface ManagementUnderTest {
  readonly url: string;
  readonly database: Database;
  readonly platformToken: string;
  /** All mounted routes. */
  readonly routes: readonly MountedRoute[];
  /** A fresh organization with an owner, a project and an empty wallet. */
  newOrganization(): Promise<Organization>;
  /** A caller by a new API key. */
  withKey(
    organization: Organization,
    scopes?: readonly Permission[],
    projectId?: string,
  ): Promise<Client & { readonly keyId: string }>;
  /** A caller by the session of a new member with this role. */
  withSession(
    organization: Organization,
    role: Role,
  ): Promise<Client & { readonly userId: string; readonly memberId: string }>;
  /** A caller by one more session of a user. */
  anotherSession(userId: string): Promise<Client>;
  /** A caller by an access token for these scopes, of a new member with this role. */
  withAccessToken(organization: Organization, role: Role, scopes: readonly Scope[]): Promise<Client>;
  /** A caller with any headers. */
  client(headers: Record<string, string>): Client;
  close(): Promise<void>;
}

const PLATFORM_TOKEN = 'svc_pt_for-specs-only-0123456789abcdef';

const NO_CATALOG = 'providers: []\nmodels: []\nendpoints: []\n';

/** The document's descriptions of other services, and the bound of management calls. */
type OtherServices = Pick<ApiRuntime, 'otherRoutes' | 'otherResources' | 'managementCallsPerMinute'>;

/** Payments are served by the server of the spec. */
interface ManagementOptions extends Partial<Omit<ManagementRuntime, 'payments'>> {
  readonly payments?: OpenPayments;
}

/** @param options the options that the spec is about; the others do not matter. Without a database it has one of its own. */
export async function startManagement(
  options: ManagementOptions = {},
  otherServices: OtherServices = {},
): Promise<ManagementUnderTest> {
  const { payments, logger = createLogger({ service: 'management', level: 'silent' }), ...others } = options;
  const { database, close: closeDatabase } =
    options.database === undefined ? await openTestDatabase() : given(options.database);
  const server = createHttpServer({ logger, explainError: explainFailure });
  const catalog = parseCatalog(NO_CATALOG, { file: 'catalog.yaml', env: {} });
  const runtime: ManagementRuntime = {
    logger,
    clock: systemClock,
    baseUrl: 'https://svc.example',
    masterKey: Buffer.alloc(32, 7),
    catalog: () => catalog,
    store: await openObjectStore({ kind: 'folder', path: join(tmpdir(), 'svc-objects-of-specs') }),
    ...others,
    database,
    payments: payments && { ...payments, server, metrics: createMetrics('management') },
  };
  const routes = mountedRoutes(server);
  const tokens = new Map<string, AccessFacts>();
  const callers = openKnownCallers({ ...runtime, metrics: createMetrics('management') });
  const composition = compositionOf(server, runtime, callers.directory, tokens, otherServices);
  const { app, url } = await listen(composition, server);
  const clientWith = (headers: Record<string, string>) => clientOf(url, headers);
  return {
    url,
    database,
    platformToken: PLATFORM_TOKEN,
    newOrganization: () => newOrganization(database),
    withKey: async (organization, scopes = keyPermissions, projectId) => {
      const { id, secret } = await addKey(database, organization, scopes, projectId ?? null);
      return { ...clientWith({ authorization: `Bearer ${secret}` }), keyId: id };
    },
    withSession: async (organization, role) => {
      const { userId, memberId } = await addMember(database, organization, role);
      return { ...clientWith(await newSession(database, userId)), userId, memberId };
    },
    anotherSession: async (userId) => clientWith(await newSession(database, userId)),
    withAccessToken: async (organization, role, scopes) => {
      const { userId } = await addMember(database, organization, role);
      const jti = String(tokens.size);
      tokens.set(jti, { userId, appId: 'oapp_of-a-spec', organizationId: organization.id, scopes, role });
      return clientWith({ authorization: `Bearer of-a-spec.${jti}.` });
    },
    routes,
    client: clientWith,
    close: async () => {
      await app.close();
      await callers.stop();
      await closeDatabase();
    },
  };
}

async function listen(composition: Type, server: FastifyInstance) {
  const app = await NestFactory.create(composition, new MountedAdapter(server), {
    logger: false,
    abortOnError: false,
  });
  await app.listen(0, '127.0.0.1');
  return { app, url: `http://127.0.0.1:${String((server.server.address() as AddressInfo).port)}` };
}

const given = (database: Database) => ({ database, close: () => Promise.resolve() });

function compositionOf(
  server: FastifyInstance,
  runtime: ManagementRuntime,
  callers: CallerDirectory,
  tokens: ReadonlyMap<string, AccessFacts>,
  otherServices: OtherServices,
) {
  @Module({
    imports: [
      ApiModule.register({
        server,
        logger: runtime.logger,
        baseUrl: runtime.baseUrl,
        directory: {
          apiKey: (sha256, readAddress) => callers.apiKey(sha256, readAddress),
          session: (sha256) => callers.session(sha256),
          // The specs of apps/auth cover how tokens are issued and revoked. Here only their access matters.
          accessToken: (jti) => {
            const facts = tokens.get(jti);
            return facts === undefined ? Promise.reject(unknownToken()) : Promise.resolve(facts);
          },
        },
        accessTokens: { verify: (jwt) => Promise.resolve({ jti: jwt.split('.')[1] ?? '' }) },
        approvedCalls: approvedCallQueue({ ...runtime, metrics: createMetrics('management') }),
        platformTokenSha256: () => Promise.resolve(createHash('sha256').update(PLATFORM_TOKEN).digest()),
        ...otherServices,
      }),
      ManagementModule.register(runtime),
    ],
  })
  class Composition {}
  return Composition;
}

const unknownToken = () => new GatewayError('invalidToken', 'The access token is not valid.');

function clientOf(url: string, callerHeaders: Record<string, string>): Client {
  const call: Client['call'] = async (method, path, body, headers = {}) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(url + path, {
      method,
      headers: { ...json, ...callerHeaders, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : (JSON.parse(text) as unknown),
    };
  };
  return {
    headers: callerHeaders,
    call,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
    patch: (path, body) => call('PATCH', path, body),
    put: (path, body) => call('PUT', path, body),
    delete: (path) => call('DELETE', path),
  };
}

async function newOrganization(database: Database): Promise<Organization> {
  const organizationId = systemIds('organization');
  const ownerId = systemIds('user');
  const projectId = systemIds('project');
  // One statement, because nearly every test makes one.
  await database.background.query(
    `WITH organization AS (INSERT INTO organizations (id, name) VALUES ($1, 'Acme')),
       owner AS (INSERT INTO users (id, email) VALUES ($2, $2 || '@example.com')),
       member AS (INSERT INTO members (id, organization_id, user_id, role) VALUES ($3, $1, $2, 'owner')),
       project AS (INSERT INTO projects (id, organization_id, name) VALUES ($4, $1, 'First'))
     INSERT INTO wallets (organization_id) VALUES ($1)`,
    [organizationId, ownerId, systemIds('member'), projectId],
  );
  return { id: organizationId, projectId, ownerId };
}

async function addKey(
  { prisma }: Database,
  organization: Organization,
  scopes: readonly string[],
  projectId: string | null,
): Promise<{ id: string; secret: string }> {
  const secret = formatApiKeySecret(crypto.getRandomValues(new Uint8Array(32)));
  const id = systemIds('apiKey');
  await prisma.apiKey.create({
    data: {
      id,
      organizationId: organization.id,
      projectId,
      name: 'Of a spec',
      prefix: visiblePrefix(secret),
      secretSha256: Uint8Array.from(apiKeyHash(secret)),
      scopes: [...scopes],
    },
  });
  return { id, secret };
}

const DAY_MS = 86_400_000;

async function addMember(database: Database, organization: Organization, role: Role) {
  const userId = systemIds('user');
  const memberId = systemIds('member');
  await database.prisma.user.create({ data: { id: userId, email: `${userId}@example.com` } });
  await database.prisma.member.create({
    data: { id: memberId, organizationId: organization.id, userId, role },
  });
  return { userId, memberId };
}

/** @returns the headers of a new session. */
async function newSession(database: Database, userId: string) {
  const secret = formatSecret('session', crypto.getRandomValues(new Uint8Array(32)));
  const nowMs = Date.now();
  const session = { sha256: secretHash(secret), userId, nowMs, expiresAtMs: nowMs + DAY_MS };
  await new SessionStore(database).createSession(session);
  return { cookie: `svc_session=${secret}`, 'x-csrf-token': csrfTokenFor(secret) };
}
