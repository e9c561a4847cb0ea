import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { apiKeyHash, visiblePrefix } from '@svc/access';
import { bootstrap } from '@svc/access/store';
import { nanos, type TrustedProxies } from '@svc/kernel';
import { type OrganizationPrices } from '@svc/ledger';
import { type Database } from '@svc/database';
import { createHttpServer, MountedAdapter } from '@svc/http';
import { systemIds } from '@svc/runtime';
import { createLogger, createMetrics } from '@svc/runtime/observability';
import { CatalogSource } from '../catalog/catalog-source';
import { EdgeModule } from '../edge.module';
import { type BodyMemory } from '../call/body-memory';
import { type LargeBodySemaphore } from '../fairness/large-body-semaphore';
import { renderRouteError } from '../http/render-route-error';
import { type RateLimiter } from '../limits/rate-limiter';
import { type JobThread } from '../second-thread/second-thread';
import { keptThread } from './built-thread';

/** Prices in nano-dollars per token, so that a charge can be read off an answer's usage. */
export const PRICES = { input: 10, output: 100 } as const;
export const MODEL = { id: 'acme/small', context_window: 1_000_000, max_output_tokens: 8_192 } as const;

export const CHAT = {
  model: MODEL.id,
  max_tokens: 50,
  messages: [{ role: 'user', content: 'Hi' }],
} as const;

/** A busy machine counts late, and then the usage is estimated by its bytes. */
const COUNT_WAIT_MS = 20_000;
export const BASE_URL = 'http://svc.example';
export const MASTER_KEY = Buffer.alloc(32, 7);

export interface EdgeOptions {
  readonly database: Database;
  /** The URL of each endpoint of the model, in the order of the plan. */
  readonly upstreamUrls: readonly string[];
  /** JSON or YAML, in place of one model at `upstreamUrls`. */
  readonly catalog?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly creditNanos?: bigint;
  readonly key?: { readonly scopes?: readonly string[]; readonly rpm?: number };
  /** Whose `X-Forwarded-For` is believed; default: nobody's. */
  readonly proxies?: TrustedProxies;
  readonly drainMs?: number;
  readonly bodySemaphore?: LargeBodySemaphore;
  readonly bodyMemory?: BodyMemory;
  readonly thread?: JobThread;
  readonly countWaitMs?: number;
  readonly limiter?: RateLimiter;
  readonly prices?: OrganizationPrices;
}

/** The real edge on a port of its own, over a fresh database, with one model, organization and key. */
export interface EdgeUnderTest {
  readonly url: string;
  readonly apiKey: string;
  readonly organizationId: string;
  readonly catalogFile: string;
  /** POSTs to a route with the key. */
  post(path: string, body: object, init?: RequestInit): Promise<Response>;
  /** Drains, as at SIGTERM. Idempotent. */
  close(): Promise<void>;
}

export async function startEdge(options: EdgeOptions): Promise<EdgeUnderTest> {
  const { database, upstreamUrls } = options;
  const folder = mkdtempSync(join(tmpdir(), 'svc-edge-'));
  const catalogFile = join(folder, 'catalog.yaml');
  writeFileSync(catalogFile, options.catalog ?? catalogOf(upstreamUrls));
  const apiKey = `svc_sk_${systemIds('apiKey')}`;
  const { organizationId } = await install(options, apiKey);

  const logger = createLogger({ service: 'edge', level: 'silent' });
  const { environment = {} } = options;
  const server = createHttpServer({
    logger,
    renderError: renderRouteError,
    ...(options.proxies !== undefined && { proxies: options.proxies }),
  });
  const app = await NestFactory.create(
    EdgeModule.register({
      server,
      database,
      logger,
      metrics: createMetrics('edge'),
      baseUrl: BASE_URL,
      catalog: new CatalogSource({ files: [catalogFile], environment, logger }),
      environment,
      masterKey: MASTER_KEY,
      thread: options.thread ?? keptThread,
      countWaitMs: options.countWaitMs ?? COUNT_WAIT_MS,
      ...(options.limiter !== undefined && { limiter: options.limiter }),
      ...(options.prices !== undefined && { prices: options.prices }),
      ...(options.drainMs !== undefined && { drainMs: options.drainMs }),
      ...(options.bodySemaphore !== undefined && { bodySemaphore: options.bodySemaphore }),
      ...(options.bodyMemory !== undefined && { bodyMemory: options.bodyMemory }),
    }),
    new MountedAdapter(server),
    { logger: false, abortOnError: false },
  );
  await app.listen(0, '127.0.0.1');
  const url = `http://127.0.0.1:${String((server.server.address() as AddressInfo).port)}`;
  let closing: Promise<void> | undefined;
  return {
    url,
    apiKey,
    organizationId,
    catalogFile,
    post: (path, body, init) =>
      fetch(url + path, {
        method: 'POST',
        body: JSON.stringify(body),
        ...init,
        headers: { 'x-api-key': apiKey, 'content-type': 'application/json', ...init?.headers },
      }),
    close: () => (closing ??= app.close().finally(() => rmSync(folder, { recursive: true }))),
  };
}

/** A busy machine takes no longer. */
const PATIENT = { first_byte: 10_000, idle: 10_000 };

/** `acme/chat` is served by a provider of chat completions, `acme/talk` by one of messages, each on both routes. */
export const catalogOfBoth = (upstreamUrl: string): string =>
  JSON.stringify({
    providers: [
      { name: 'chat', protocol: 'openai', base_url: `${upstreamUrl}/v1` },
      { name: 'talk', protocol: 'anthropic', base_url: `${upstreamUrl}/v1` },
    ],
    models: ['chat', 'talk'].map((name) => ({ ...MODEL, id: `acme/${name}`, display_name: name })),
    endpoints: ['chat', 'talk'].map((provider) => ({
      model: `acme/${provider}`,
      provider,
      upstream_model: 'small-1',
      region: 'eu',
      data_retention: 'zero',
      prices: PRICES,
    })),
  });

/** JSON is YAML too. */
export function catalogOf(
  upstreamUrls: readonly string[],
  models: readonly string[] = [MODEL.id],
  timeoutMs = PATIENT,
): string {
  const names = upstreamUrls.map((_, at) => `upstream-${String(at + 1)}`);
  return JSON.stringify({
    providers: upstreamUrls.map((url, at) => ({
      name: names[at],
      protocol: 'openai',
      base_url: `${url}/v1`,
    })),
    models: models.map((id) => ({ ...MODEL, id, display_name: id })),
    endpoints: models.flatMap((model) =>
      names.map((provider) => ({
        model,
        provider,
        upstream_model: 'small-1',
        region: 'eu',
        data_retention: 'zero',
        operations: ['chat_completions'],
        prices: PRICES,
        timeout_ms: timeoutMs,
      })),
    ),
  });
}

async function install({ database, creditNanos = 1_000_000_000n, key = {} }: EdgeOptions, secret: string) {
  const installation = await bootstrap(database, {
    organizationName: 'Acme',
    ownerEmail: 'owner@example.com',
    ownerPasswordHash: 'unused',
    projectName: 'Default',
    apiKey: {
      name: 'test',
      sha256: apiKeyHash(secret),
      prefix: visiblePrefix(secret),
      scopes: key.scopes ?? ['inference:invoke'],
    },
    credit: nanos(creditNanos),
  });
  await database.prisma.apiKey.updateMany({ data: { rateLimitRpm: key.rpm ?? null } });
  return installation;
}
