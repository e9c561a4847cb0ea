import { type DynamicModule, Module } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';
import {
  ApiKeyStore,
  CallerStore,
  ChangeFeed,
  type Database,
  EdgeInstanceStore,
  IdempotencyStore,
  KeyUseRecorder,
  LedgerStore,
  PolicyStore,
  ProjectStore,
  ProviderCredentialStore,
  SigningKeyStore,
} from '@svc/persistence';
import {
  createSealer,
  type Logger,
  type MasterKey,
  type Registry,
  type Sealer,
  systemClock as clock,
  systemIds,
} from '@svc/platform';
import { AccessTokenVerifier } from '@svc/platform/access-tokens';
import { type CatalogSource } from './catalog/catalog-source';
import { AuthFailures } from './credentials/auth-failures';
import { InputTokenCount } from './counting/input-tokens';
import { PromptCounter } from './counting/prompt-counter';
import { OrganizationCredentials } from './credentials/organization-credentials';
import { PlatformCredentials } from './credentials/platform-credentials';
import { Delivery } from './delivery/deliver';
import { CallTranslator } from './dispatch/call-translator';
import { Circuits } from './dispatch/circuits';
import { dialects } from './dispatch/dialect';
import { MeasuredEndpoints } from './dispatch/endpoint-figures';
import { PlanRunner } from './dispatch/plan-runner';
import { EdgeInstance } from './edge-instance';
import { mountCountTokensRoute } from './http/count-tokens-route';
import { InFlight } from './http/in-flight';
import { mountInferenceRoutes } from './http/inference-routes';
import { mountModelRoutes } from './http/model-routes';
import { refuseUnknownKeys } from './http/refuse-unknown-keys';
import { IdempotentCalls } from './idempotency/idempotent-calls';
import { InProcessLimiter } from './limits/in-process-limiter';
import { type RateLimiter } from './limits/rate-limiter';
import { CallMetrics } from './observability/call-metrics';
import { CallParser } from './parsing/call-parser';
import { type JobThread, SecondThread } from './parsing/second-thread';
import { Authenticator } from './pipeline/authenticate';
import { InferencePipeline } from './pipeline/inference-pipeline';
import { refuseAccessTokens } from './pipeline/refuse-access-token';
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
  /** `{base_url}`: the issuer of access tokens. */
  readonly baseUrl: string;
  /** Read again on SIGHUP, as long as the edge runs. */
  readonly catalog: CatalogSource;
  /** Where the catalog's `credential_env` finds what it names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Opens what is stored encrypted (contract.md section 1). */
  readonly masterKey: MasterKey;
  /** The limits are kept in this process without one. */
  readonly limiter?: RateLimiter;
  /** One that runs the program built beside this file without it. */
  readonly thread?: JobThread;
  /** Milliseconds for which a shutdown lets running calls go on; 30 s without it. */
  readonly drainMs?: number;
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
async function mountEdge(runtime: EdgeRuntime): Promise<EdgeInstance> {
  const { server, database, logger, metrics, catalog, masterKey } = runtime;
  const { limiter = new InProcessLimiter(clock), thread = new SecondThread(), drainMs = DRAIN_MS } = runtime;
  const sealer = createSealer(masterKey);
  const { changes, keyUses, ...callers } = knownCallers(runtime, sealer);
  const providers = providersOf(runtime);
  const ledger = new LedgerStore(database);
  const parser = new CallParser(thread);
  const promptCounter = new PromptCounter(thread);
  const translator = new CallTranslator(thread);
  const instance = new EdgeInstance(new EdgeInstanceStore(database), logger);
  const pipeline = new InferencePipeline({
    ...callers,
    parser,
    idempotency: new IdempotentCalls({
      store: new IdempotencyStore(database),
      sealer,
      edgeInstanceId: instance.id,
      logger,
    }),
    limiter,
    catalog,
    translator,
    ...providers,
    ledger,
    promptCounter,
    runner: new PlanRunner({ ...providers, dialectOf: dialects(translator), clock }),
    delivery: new Delivery(new Settlement(ledger, clock, systemIds)),
    edgeInstanceId: instance.id,
  });
  const inputTokens = new InputTokenCount({ ...callers, ...providers, catalog, counter: promptCounter });

  const inFlight = new InFlight();
  const callMetrics = new CallMetrics(metrics);
  callMetrics.watch(() => inFlight.count);
  refuseUnknownKeys(server, callers.authenticator, callMetrics);
  mountInferenceRoutes(server, { pipeline, inFlight, metrics: callMetrics, logger });
  mountModelRoutes(server, { ...callers, catalog });
  mountCountTokensRoute(server, { ...callers, parser, inputTokens, inFlight, clock, logger });

  const reload = () => {
    catalog.reload();
  };
  process.on('SIGHUP', reload);
  server.addHook('preClose', (done) => {
    inFlight.abandonAfter(drainMs);
    done();
  });
  server.addHook('onClose', async () => {
    process.off('SIGHUP', reload);
    await inFlight.ended();
    await ledger.drain();
    await Promise.all([
      instance.stop(),
      changes.stop(),
      keyUses.stop(),
      providers.upstream.close(),
      thread.close(),
    ]);
  });
  await instance.start();
  changes.start();
  return instance;
}

/** What the database says of callers, and the feed that tells when it says something else. */
function knownCallers({ database, logger, environment, baseUrl }: EdgeRuntime, sealer: Sealer) {
  const keyStore = new ApiKeyStore(database);
  const projectStore = new ProjectStore(database);
  const policyStore = new PolicyStore(database);
  const credentialStore = new ProviderCredentialStore(database);
  const keyUses = new KeyUseRecorder({ database, logger });
  const keys = new SigningKeyStore(database, sealer);
  const accessTokens = new AccessTokenVerifier({ keys, clock, issuer: baseUrl, audience: baseUrl });
  const authenticator = new Authenticator(
    (hash) => keyStore.findBySha256(hash),
    clock,
    keyUses.note,
    refuseAccessTokens(accessTokens, new CallerStore(database)),
  );
  const projects = new ProjectResolver(
    async (organizationId, id) => (await projectStore.find(organizationId, id))?.state === 'active',
  );
  const policies = new Policies((organizationId) => policyStore.current(organizationId));
  const ownCredentials = new OrganizationCredentials((id) => credentialStore.activeFor(id), sealer, logger);
  const caches = [authenticator, projects, policies, ownCredentials];
  const changes = new ChangeFeed({
    database,
    logger,
    tell: (change) => {
      for (const cache of caches) cache.forget(change);
    },
  });
  const terms = new TermsSource(policies, ownCredentials, new PlatformCredentials(environment));
  return { authenticator, projects, terms, changes, keyUses };
}

/** The way to the providers, and what is learned of them on it. */
function providersOf({ database, logger }: EdgeRuntime) {
  const credentialStore = new ProviderCredentialStore(database);
  return {
    upstream: new UpstreamClient(),
    circuits: new Circuits(clock),
    figures: new MeasuredEndpoints(),
    authFailures: new AuthFailures((event) => credentialStore.recordAuthFailure(event), clock, logger),
  };
}
