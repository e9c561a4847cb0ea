import { type DynamicModule, Module } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';
import {
  ApiKeyStore,
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
import { OrganizationCredentials } from './credentials/organization-credentials';
import { PlatformCredentials } from './credentials/platform-credentials';
import { Delivery } from './delivery/deliver';
import { Circuits } from './dispatch/circuits';
import { MeasuredEndpoints } from './dispatch/endpoint-figures';
import { PlanRunner } from './dispatch/plan-runner';
import { EdgeInstance } from './edge-instance';
import { InFlight } from './http/in-flight';
import { mountInferenceRoutes } from './http/inference-routes';
import { mountModelRoutes } from './http/model-routes';
import { IdempotentCalls } from './idempotency/idempotent-calls';
import { InProcessLimiter } from './limits/in-process-limiter';
import { type RateLimiter } from './limits/rate-limiter';
import { CallMetrics } from './observability/call-metrics';
import { CallParser } from './parsing/call-parser';
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
}: EdgeRuntime): Promise<EdgeInstance> {
  const clock = systemClock;
  const sealer = createSealer(masterKey);
  const catalog = new CatalogSource({ file: catalogFile, environment, logger });
  const keys = new ApiKeyStore(database);
  const projects = new ProjectStore(database);
  const ledger = new LedgerStore(database);
  const policies = new PolicyStore(database);
  const credentials = new ProviderCredentialStore(database);
  const terms = new TermsSource(
    new Policies((organizationId) => policies.current(organizationId)),
    new OrganizationCredentials((id) => credentials.activeFor(id), sealer, logger),
    new PlatformCredentials(environment),
  );
  const authFailures = new AuthFailures((event) => credentials.recordAuthFailure(event), clock, logger);
  const upstream = new UpstreamClient();
  const parser = new CallParser();
  const circuits = new Circuits(clock);
  const figures = new MeasuredEndpoints();
  const authenticator = new Authenticator((hash) => keys.findBySha256(hash), clock);
  const instance = new EdgeInstance(new EdgeInstanceStore(database), logger);
  const pipeline = new InferencePipeline({
    authenticator,
    projects: new ProjectResolver(
      async (organizationId, id) => (await projects.find(organizationId, id)) !== null,
    ),
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
    runner: new PlanRunner({ upstream, circuits, figures, authFailures, clock }),
    delivery: new Delivery(new Settlement(ledger, clock, systemIds)),
    edgeInstanceId: instance.id,
  });

  const inFlight = new InFlight();
  mountInferenceRoutes(server, { pipeline, inFlight, metrics: new CallMetrics(metrics), logger });
  mountModelRoutes(server, { authenticator, catalog, terms });

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
    await Promise.all([instance.stop(), upstream.close(), parser.close()]);
  });
  await instance.start();
  return instance;
}
