import { type DynamicModule, Module } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';
import {
  ApiKeyStore,
  ChangeFeed,
  type Database,
  EdgeInstanceStore,
  IdempotencyStore,
  LedgerStore,
  PolicyStore,
  ProjectStore,
  ProviderCredentialStore,
} from '@svc/persistence';
import { createSealer, type Logger, type Registry, systemClock, systemIds } from '@svc/platform';
import { CatalogSource } from './catalog/catalog-source';
import { AuthFailures } from './credentials/auth-failures';
import { InputTokenCount } from './counting/input-tokens';
import { PromptCounter } from './counting/prompt-counter';
import { OrganizationCredentials } from './credentials/organization-credentials';
import { PlatformCredentials } from './credentials/platform-credentials';
import { Delivery } from './delivery/deliver';
import { Circuits } from './dispatch/circuits';
import { MeasuredEndpoints } from './dispatch/endpoint-figures';
import { PlanRunner } from './dispatch/plan-runner';
import { EdgeInstance } from './edge-instance';
import { mountCountTokensRoute } from './http/count-tokens-route';
import { InFlight } from './http/in-flight';
import { mountInferenceRoutes } from './http/inference-routes';
import { mountModelRoutes } from './http/model-routes';
import { IdempotentCalls } from './idempotency/idempotent-calls';
import { InProcessLimiter } from './limits/in-process-limiter';
import { type RateLimiter } from './limits/rate-limiter';
import { CallMetrics } from './observability/call-metrics';
import { CallParser } from './parsing/call-parser';
import { type JobThread, SecondThread } from './parsing/second-thread';
import { Authenticator } from './pipeline/authenticate';
import { InferencePipeline } from './pipeline/inference-pipeline';
import { ProjectResolver } from './pipeline/resolve-project';
import { TermsSource } from './policy/organization-terms';
import { Policies } from './policy/policies';
import { UpstreamClient } from './providers/upstream-client';
import { Settlement } from './settlement/settle-call';

export interface EdgeRuntime {
  readonly server: FastifyInstance;
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly catalogFile: string;
  /** Where catalog entries find what they name: `credential_env`, and variables in `base_url`. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** 32 bytes: opens what is stored encrypted (contract.md section 1). */
  readonly masterKey: Buffer;
  /** The limits are kept in this process without one. */
  readonly limiter?: RateLimiter;
  /** One that runs the program built beside this file without it. */
  readonly thread?: JobThread;
}

/** The inference edge: the one file where its ports meet their adapters. */
@Module({})
export class EdgeModule {
  static register(runtime: EdgeRuntime): DynamicModule {
    return {
      module: EdgeModule,
      providers: [{ provide: EdgeInstance, useFactory: () => mountEdge(runtime) }],
    };
  }
}

/** How long a shutdown lets running calls go on before it ends them. */
const DRAIN_MS = 30_000;

/** The routes are mounted on Fastify itself: Nest composes them, and stays out of their hot path. */
async function mountEdge({
  server,
  database,
  logger,
  metrics,
  catalogFile,
  environment,
  masterKey,
  limiter,
  thread = new SecondThread(),
}: EdgeRuntime): Promise<EdgeInstance> {
  const clock = systemClock;
  const sealer = createSealer(masterKey);
  const catalog = new CatalogSource({ file: catalogFile, environment, logger });
  const keys = new ApiKeyStore(database);
  const projects = new ProjectStore(database);
  const ledger = new LedgerStore(database);
  const policyStore = new PolicyStore(database);
  const policies = new Policies((organizationId) => policyStore.current(organizationId));
  const credentials = new ProviderCredentialStore(database);
  const ownCredentials = new OrganizationCredentials((id) => credentials.activeFor(id), sealer, logger);
  const terms = new TermsSource(policies, ownCredentials, new PlatformCredentials(environment));
  const authFailures = new AuthFailures((event) => credentials.recordAuthFailure(event), clock, logger);
  const upstream = new UpstreamClient();
  const parser = new CallParser(thread);
  const promptCounter = new PromptCounter(thread);
  const circuits = new Circuits(clock);
  const figures = new MeasuredEndpoints();
  const authenticator = new Authenticator((hash) => keys.findBySha256(hash), clock);
  const projectResolver = new ProjectResolver(
    async (organizationId, id) => (await projects.find(organizationId, id))?.state === 'active',
  );
  const caches = [authenticator, projectResolver, policies, ownCredentials];
  const changes = new ChangeFeed({
    database,
    logger,
    tell: (change) => {
      for (const cache of caches) cache.forget(change);
    },
  });
  const instance = new EdgeInstance(new EdgeInstanceStore(database), logger);
  const pipeline = new InferencePipeline({
    authenticator,
    projects: projectResolver,
    parser,
    idempotency: new IdempotentCalls({
      store: new IdempotencyStore(database),
      sealer,
      edgeInstanceId: instance.id,
      logger,
    }),
    limiter: limiter ?? new InProcessLimiter(clock),
    catalog,
    terms,
    circuits,
    figures,
    ledger,
    promptCounter,
    runner: new PlanRunner({ upstream, circuits, figures, authFailures, clock }),
    delivery: new Delivery(new Settlement(ledger, clock, systemIds)),
    edgeInstanceId: instance.id,
  });

  const inFlight = new InFlight();
  mountInferenceRoutes(server, { pipeline, inFlight, metrics: new CallMetrics(metrics), logger });
  mountModelRoutes(server, { authenticator, catalog, terms });
  const inputTokens = new InputTokenCount({ catalog, terms, circuits, upstream, counter: promptCounter });
  mountCountTokensRoute(server, {
    authenticator,
    projects: projectResolver,
    parser,
    inputTokens,
    inFlight,
    clock,
    logger,
  });

  const reload = () => {
    catalog.reload();
  };
  process.on('SIGHUP', reload);
  server.addHook('preClose', (done) => {
    setTimeout(() => inFlight.abandon(), DRAIN_MS).unref();
    done();
  });
  server.addHook('onClose', async () => {
    process.off('SIGHUP', reload);
    await inFlight.ended();
    await ledger.drain();
    await Promise.all([instance.stop(), changes.stop(), upstream.close(), thread.close()]);
  });
  await instance.start();
  changes.start();
  return instance;
}
