import { type DynamicModule, Module } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';
import { modelNamed, type Catalog } from '@svc/catalog';
import { END_USERS_PER_DAY_DEFAULT, type OrganizationPrices } from '@svc/ledger';
import { type CallClient } from '@svc/messaging';
import { ChangeFeed, type Database, whenDatabaseAnswers } from '@svc/database';
import { tracedOrganizations } from '@svc/deliveries/store';
import { TunedModelStore } from '@svc/fine-tuning/store';
import { allowCrossOrigin, knownPathsOf } from '@svc/http';
import { OrganizationStore, ProjectStore } from '@svc/access/store';
import {
  EdgeInstanceStore,
  EndUserPeppers,
  IdempotencyStore,
  LedgerStore,
  RequestRecordStore,
} from '@svc/ledger/store';
import {
  CredentialReportStore,
  LowerPolicyStore,
  PolicyStore,
  ProviderCredentialStore,
} from '@svc/policy/store';
import {
  systemClock as clock,
  createSealer,
  type MasterKey,
  type Sealer,
  systemIds,
  systemSpanIds,
} from '@svc/runtime';
import { type Logger, type Registry } from '@svc/runtime/observability';
import { CallMinuteStore, CircuitReportStore, RefusalStore, RolloutMinuteStore } from '@svc/usage/store';
import { RefusalRecorder } from '@svc/usage/work';
import { type CatalogSource } from './catalog/catalog-source';
import { CallMinuteRecorder } from './call-minutes/call-minute-recorder';
import { RolloutMinuteRecorder } from './call-minutes/rollout-minute-recorder';
import { CircuitReporter } from './circuit-reports/circuit-reporter';
import { Affinities } from './affinity/affinities';
import { AuthFailures } from './credentials/auth-failures';
import { CredentialHealths } from './credentials/credential-healths';
import { CredentialRates } from './dispatch/credential-rates';
import { CredentialReporter } from './credentials/credential-reporter';
import { ToldHealth } from './credentials/told-health';
import { InputTokenCount } from './counting/input-tokens';
import { PromptCounter } from './counting/prompt-counter';
import { OrganizationCredentials } from './credentials/organization-credentials';
import { PlatformCredentials } from './credentials/platform-credentials';
import { AnswerUsages } from './delivery/answer-usage';
import { Delivery } from './delivery/deliver';
import { CallTranslator } from './dispatch/call-translator';
import { Circuits } from './dispatch/circuits';
import { callAdapters } from './dispatch/call-adapter';
import { MeasuredEndpoints } from './dispatch/endpoint-figures';
import { PlanRunner } from './dispatch/plan-runner';
import { EdgeInstance } from './edge-instance';
import { FinishedCallReporter } from './finished-calls/finished-call-reporter';
import { TracedOrganizations } from './finished-calls/traced-organizations';
import { BodyMemory } from './call/body-memory';
import { LargeBodySemaphore } from './fairness/large-body-semaphore';
import { openEntry } from './http/entry/entry';
import { InFlight } from './http/entry/in-flight';
import { inferenceCalls } from './http/entry/inference-calls';
import { tokenCounts } from './http/entry/token-counts';
import { missingVersion } from './http/missing-version';
import { unkeptResponses } from './http/unkept-responses';
import { mountModelRoutes } from './http/model-routes';
import { IdempotentCalls } from './idempotency/idempotent-calls';
import { InProcessLimiter } from './limits/in-process-limiter';
import { type RateLimiter } from './limits/rate-limiter';
import { CallMetrics } from './observability/call-metrics';
import { watchCredentials } from './observability/credential-metrics';
import { CallParser } from './parsing/call-parser';
import { CallRefusals } from './refusals/call-refusals';
import { type JobThread, SecondThread } from './second-thread/second-thread';
import { SharedThread } from './second-thread/shared-thread';
import { InferencePipeline } from './pipeline/inference-pipeline';
import { openAuthenticator } from './pipeline/open-authenticator';
import { ProjectResolver } from './pipeline/resolve-project';
import { BookedLabels } from './policy/booked-labels';
import { EndUsers } from './policy/end-users';
import { TermsSource } from './policy/organization-terms';
import { Policies } from './policy/policies';
import { TunedModels } from './policy/tuned-models';
import { UpstreamClient } from './providers/upstream-client';
import { OrphanedHolds } from './settlement/orphaned-holds';
import { Settlement } from './settlement/settle-call';
import { UsageEstimates } from './settlement/usage-estimates';

export interface EdgeRuntime {
  readonly server: FastifyInstance;
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** `{base_url}`: the issuer of access tokens. */
  readonly baseUrl: string;
  /** Reloaded on SIGHUP. */
  readonly catalog: CatalogSource;
  /** The variables that `credential_env` of the catalog names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Opens stored secrets (docs/reference/authentication-and-permissions.md#secrets). */
  readonly masterKey: MasterKey;
  /** Default: limits in this process. */
  readonly limiter?: RateLimiter;
  /** Default: runs the program built beside this file. */
  readonly thread?: JobThread;
  /** Default: the standard bounds. */
  readonly bodySemaphore?: LargeBodySemaphore;
  /** Default: what the memory of the process leaves for bodies. */
  readonly bodyMemory?: BodyMemory;
  /** Takes finished calls for telemetry. Without it none are handed over. */
  readonly calls?: CallClient;
  /** Milliseconds that the end of an answer waits for its usage to be counted; default 1 s. */
  readonly countWaitMs?: number;
  /** How many end users of an organization are named in the usage of a day: `SVC_END_USERS_PER_DAY`. */
  readonly endUsersPerDay?: number;
  /** The default prices of calls: `SVC_PRICE_BPS` and `SVC_OWN_CREDENTIAL_BPS`. */
  readonly prices?: OrganizationPrices;
  /** Milliseconds that running calls get at a shutdown; default 30 s. */
  readonly drainMs?: number;
}

/** The inference edge: its ports are bound to their adapters here. */
@Module({})
export class EdgeModule {
  static register(runtime: EdgeRuntime): DynamicModule {
    return {
      module: EdgeModule,
      providers: [{ provide: EdgeInstance, useFactory: () => mountEdge(runtime) }],
    };
  }
}

/** After this a shutdown ends running calls. */
const DRAIN_MS = 30_000;

/** After this a shutdown stops waiting for releases of idempotency keys: the keys are free once this process's lease lapses. */
const RELEASES_DRAIN_MS = 5_000;

/** Nest only composes: inference calls bypass the framework, and the model lists are plain Fastify routes. */
async function mountEdge(runtime: EdgeRuntime): Promise<EdgeInstance> {
  const { server, database, logger, metrics, catalog, masterKey } = runtime;
  const { limiter = new InProcessLimiter(clock), thread = new SecondThread() } = runtime;
  const { bodySemaphore = new LargeBodySemaphore(), bodyMemory = new BodyMemory() } = runtime;
  const sealer = createSealer(masterKey);
  const providers = providersOf(runtime, limiter);
  const ledger = new LedgerStore(database, { logger });
  const inFlight = new InFlight();
  const instance = instanceOf(runtime, ledger, inFlight);
  const lookups = callerLookups(runtime, sealer, providers.credentialHealths, instance.id);
  const { changes, stopNoting, refusals, traced, ...callers } = lookups;
  const sharedThread = new SharedThread(thread);
  const parser = new CallParser(sharedThread, () => catalog.current().extraParameters);
  const promptCounter = new PromptCounter(sharedThread);
  const estimates = estimatesOf(runtime, sharedThread);
  const translator = new CallTranslator(sharedThread);
  const claims = { store: new IdempotencyStore(database), sealer, edgeInstanceId: instance.id, logger };
  const idempotency = new IdempotentCalls(claims);
  const reports = reportsOf(runtime, providers, instance.id, traced);
  const pipeline = new InferencePipeline({
    ...callers,
    parser,
    idempotency,
    limiter,
    catalog,
    translator,
    ...providers,
    rolloutMinutes: reports.rolloutMinutes,
    ledger,
    promptCounter,
    runner: new PlanRunner({ ...providers, adapterOf: callAdapters(translator), clock }),
    delivery: new Delivery(new Settlement(ledger, clock, systemIds), new AnswerUsages(estimates), reports),
    edgeInstanceId: instance.id,
  });
  const inputTokens = new InputTokenCount({ ...callers, ...providers, catalog, counter: promptCounter });

  const noted = { refusals: new CallRefusals(refusals, metrics), newSpanId: systemSpanIds, logger };
  allowCrossOrigin(server);
  for (const hint of [missingVersion, unkeptResponses]) knownPathsOf(server).addHint(hint);
  openEntry(server, {
    routes: new Map([
      ...inferenceCalls({ pipeline, metrics: callMetricsOf(metrics, inFlight), ...noted }),
      ...tokenCounts({ ...callers, parser, inputTokens, clock, ...noted }),
    ]),
    authenticator: callers.authenticator,
    bodyRoom: { semaphore: bodySemaphore, memory: bodyMemory },
    inFlight,
  });
  mountModelRoutes(server, { ...callers, catalog });

  const stopReloading = reloadOnSighup(catalog, estimates);
  drainOnClose(runtime, inFlight, async () => {
    stopReloading();
    await Promise.all([ledger.drain(), idempotency.drain(RELEASES_DRAIN_MS), refusals.stop()]);
    await Promise.all([reports.stop(), changes.stop(), stopNoting()]);
    await Promise.all([instance.stop(), providers.upstream.close(), thread.close()]);
  });
  await whenDatabaseAnswers({ database, logger }, () => instance.start());
  changes.start();
  reports.start();
  return instance;
}

function callMetricsOf(registry: Registry, inFlight: InFlight): CallMetrics {
  const metrics = new CallMetrics(registry);
  metrics.watch(() => inFlight.count);
  return metrics;
}

const hasEstimatedUsage = ({ models }: Catalog): boolean =>
  [...models.values()].some(({ endpoints }) => endpoints.some(({ usage }) => usage === 'estimated'));

/** Drains running calls first, then closes everything else. */
function drainOnClose(
  { server, drainMs = DRAIN_MS }: EdgeRuntime,
  inFlight: InFlight,
  end: () => Promise<void>,
): void {
  server.addHook('preClose', (done) => {
    inFlight.abandonAfter(drainMs);
    done();
  });
  server.addHook('onClose', async () => {
    await inFlight.ended();
    await end();
  });
}

function estimatesOf({ catalog, countWaitMs }: EdgeRuntime, thread: SharedThread): UsageEstimates {
  const estimates = new UsageEstimates(thread, countWaitMs);
  prepareEstimates(catalog, estimates);
  return estimates;
}

function prepareEstimates(catalog: CatalogSource, estimates: UsageEstimates): void {
  if (hasEstimatedUsage(catalog.current())) estimates.prepare();
}

/** @returns a function that removes the handler. */
function reloadOnSighup(catalog: CatalogSource, estimates: UsageEstimates): () => void {
  const reload = () => {
    catalog.reload();
    prepareEstimates(catalog, estimates);
  };
  process.on('SIGHUP', reload);
  return () => {
    process.off('SIGHUP', reload);
  };
}

/** The lease of this process on its calls. Each renewal also sweeps orphaned holds. */
function instanceOf(
  { database, logger, catalog, environment }: EdgeRuntime,
  ledger: LedgerStore,
  inFlight: InFlight,
): EdgeInstance {
  const orphanedHolds = new OrphanedHolds({
    records: new RequestRecordStore(database),
    ledger,
    served: () => inFlight.requestIds(),
    logger,
    clock,
    newId: systemIds,
  });
  const credentials = new PlatformCredentials(environment);
  return new EdgeInstance(
    new EdgeInstanceStore(database),
    logger,
    () => credentials.providersIn(catalog.current()),
    (id) => orphanedHolds.sweep(id),
  );
}

/** The reports of this process on its calls, its circuits and its credentials, beside the path of calls. */
function reportsOf(
  { database, catalog, logger, metrics, calls }: EdgeRuntime,
  { circuits, credentialHealths: healths, figures }: ReturnType<typeof providersOf>,
  edgeInstanceId: string,
  traced: TracedOrganizations,
) {
  const minutes = new CallMinuteRecorder({ store: new CallMinuteStore(database), clock, logger, metrics });
  const rolloutMinutes = new RolloutMinuteRecorder({
    store: new RolloutMinuteStore(database),
    clock,
    logger,
  });
  const finishedCalls = new FinishedCallReporter({
    organizations: traced,
    client: calls ?? null,
    clock,
    logger,
    metrics,
  });
  const circuitReports = new CircuitReporter({
    store: new CircuitReportStore(database),
    circuits,
    figures,
    catalog,
    edgeInstanceId,
    clock,
    logger,
  });
  const credentialReports = new CredentialReporter({
    store: new CredentialReportStore(database),
    healths,
    edgeInstanceId,
    clock,
    logger,
  });
  const all = [minutes, rolloutMinutes, finishedCalls, circuitReports, credentialReports, traced];
  return {
    minutes,
    rolloutMinutes,
    finishedCalls,
    start: () => {
      circuitReports.start();
      credentialReports.start();
      traced.start();
    },
    stop: () => Promise.all(all.map((each) => each.stop())),
  };
}

/** Cached lookups about callers, and the change feed that invalidates them. */
function callerLookups(
  runtime: EdgeRuntime,
  sealer: Sealer,
  credentialHealths: CredentialHealths,
  edgeInstanceId: string,
) {
  const { database, logger, environment, catalog, metrics } = runtime;
  const projectStore = new ProjectStore(database);
  const policyStore = new PolicyStore(database);
  const credentialStore = new ProviderCredentialStore(database);
  const organizationStore = new OrganizationStore(database);
  const refusals = new RefusalRecorder({
    store: new RefusalStore(database),
    isKnownModel: (name) => modelNamed(catalog.current(), name) !== undefined,
    clock,
    logger,
    metrics,
  });
  const { authenticator, stopNoting } = openAuthenticator({ ...runtime, sealer, refusals });
  const projects = new ProjectResolver(
    async (organizationId, id) => (await projectStore.findProject(organizationId, id))?.state === 'active',
  );
  const lowerPolicyStore = new LowerPolicyStore(database);
  const policies = new Policies(
    {
      forCalls: (organizationId) => policyStore.forCalls(organizationId),
      lower: (owner) => lowerPolicyStore.current(owner),
    },
    runtime.prices,
  );
  const ownCredentials = new OrganizationCredentials((id) => credentialStore.activeFor(id), sealer, logger);
  const tunedModelStore = new TunedModelStore(database);
  const tunedModels = new TunedModels((organizationId) => tunedModelStore.activeFor(organizationId));
  const peppers = new EndUserPeppers(database, sealer);
  const endUsers = new EndUsers((id) => peppers.of(id), runtime.endUsersPerDay ?? END_USERS_PER_DAY_DEFAULT);
  const bookedLabels = new BookedLabels((id) => organizationStore.usageTagOf(id));
  const traced = new TracedOrganizations({ find: () => tracedOrganizations(database), logger });
  const toldHealth = new ToldHealth(credentialHealths, edgeInstanceId);
  const lists = [ownCredentials, tunedModels, bookedLabels, traced];
  const caches = [authenticator, projects, policies, ...lists, toldHealth];
  const changes = new ChangeFeed({
    database,
    logger,
    tell: (change) => {
      for (const cache of caches) cache.invalidate(change);
    },
  });
  const platformCredentials = new PlatformCredentials(environment, (member) => {
    credentialHealths.forget(member);
  });
  watchCredentials(metrics, { catalog, platform: platformCredentials, healths: credentialHealths });
  const terms = new TermsSource(policies, ownCredentials, platformCredentials);
  const records = new RequestRecordStore(database);
  const keyOfCall = (organizationId: string, requestId: string) => records.keyOf(organizationId, requestId);
  const lookups = { authenticator, projects, terms, tunedModels, bookedLabels, endUsers, keyOfCall };
  return { ...lookups, changes, stopNoting, refusals, traced };
}

/** The client of the providers, and the state that this process keeps about them. */
function providersOf({ database, logger, metrics }: EdgeRuntime, limiter: RateLimiter) {
  const credentialStore = new ProviderCredentialStore(database);
  return {
    upstream: new UpstreamClient(),
    circuits: new Circuits(clock),
    credentialHealths: new CredentialHealths(clock),
    credentialRates: new CredentialRates(limiter),
    affinities: new Affinities(limiter, metrics),
    figures: new MeasuredEndpoints(),
    authFailures: new AuthFailures(
      (event, refused) => credentialStore.recordAuthFailure(event, refused),
      clock,
      logger,
    ),
  };
}
