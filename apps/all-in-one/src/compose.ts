import { NestFactory } from '@nestjs/core';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { openKnownCallers } from '@svc/access/work';
import { fineTuningRoutes, healthRoutes, inferenceRoutes, sessionRoutes } from '@svc/api';
import { oauthProtocolRoutes } from '@svc/api/oauth-routes';
import { approvedCallQueue } from '@svc/approvals/work';
import { type CatalogSource, RedisLimiter, renderRouteError } from '@svc/edge';
import {
  type EventClient,
  type EventServer,
  type CallClient,
  InProcessCallClient,
  InProcessEventClient,
  InProcessEventServer,
  KafkaCallClient,
  KafkaEventClient,
  KafkaEventServer,
  type KafkaAddress,
} from '@svc/messaging';
import { explainFailure, ParkedMessageStore, type Database } from '@svc/database';
import { type PaymentProvider } from '@svc/payments';
import { openSettlement } from '@svc/payments/work';
import { type TrustedProxies } from '@svc/kernel';
import {
  createHttpServer,
  mountHealth,
  MountedAdapter,
  nestLogger,
  startListening,
  type Dependency,
  type Mailer,
} from '@svc/http';
import { RedisBuckets, type RedisConnection } from '@svc/redis';
import { type OrganizationPrices } from '@svc/ledger';
import { type MasterKey, systemClock } from '@svc/runtime';
import { createMetrics, type Logger, type Registry } from '@svc/runtime/observability';
import { type ObjectStore } from '@svc/storage';
import { type EdgeRuntime } from '@svc/edge';
import { type WorkerRuntime } from '@svc/worker';
import { type FastifyInstance } from 'fastify';
import { AllInOneModule } from './all-in-one.module';

/** The foundation of the services, once it is available. */
interface Foundation {
  readonly logger: Logger;
  readonly database: Database;
  /** null: the limits are kept in this process, which serves alone. */
  readonly redis: RedisConnection | null;
  /** null: events stay in this process. */
  readonly kafka: Omit<KafkaAddress, 'clientId'> | null;
  readonly masterKey: MasterKey;
  readonly platformTokenSha256: () => Promise<Buffer>;
  /** Opens `/metrics`, which is on the port that everybody reaches. */
  readonly metricsToken: string;
  readonly catalog: CatalogSource;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly baseUrl: string;
  /** null: no mail is sent. */
  readonly mailer: Mailer | null;
  /** Whose `X-Forwarded-For` tells a client's address. */
  readonly proxies: TrustedProxies;
  readonly webhooks: WebhookSettings;
  readonly worker: WorkerSettings;
  readonly edge: EdgeSettings;
  /** Where the files of exports are kept. */
  readonly store: ObjectStore;
  readonly endpointSliceSeconds: number;
  readonly management: ManagementSettings;
  /** Of one caller. */
  readonly managementCallsPerMinute: number;
  /** null: payments are off. */
  readonly payments: PaymentFoundation | null;
}

interface PaymentFoundation {
  readonly provider: PaymentProvider;
  readonly reconcileSeconds: number;
}

interface ManagementSettings {
  /** The most bytes of one training file. */
  readonly fileMaxBytes: number;
  /** The default prices of calls. */
  readonly prices: OrganizationPrices;
  /** True where `/status` is served. */
  readonly statusPage: boolean;
  /** How users reach the operator. */
  readonly operatorContact: string | undefined;
}

interface WebhookSettings {
  readonly allowPrivate: boolean;
  readonly retryDelaysSeconds: readonly number[];
}

type EdgeSettings = Pick<EdgeRuntime, 'endUsersPerDay' | 'prices'>;

type WorkerSettings = Pick<
  WorkerRuntime,
  | 'requestMonthsKept'
  | 'organizationMetrics'
  | 'incidentAfterSeconds'
  | 'alertTickSeconds'
  | 'exports'
  | 'fineTuning'
>;

const otherRoutes = [
  inferenceRoutes,
  fineTuningRoutes,
  sessionRoutes,
  oauthProtocolRoutes,
  healthRoutes({ metricsNeedToken: true }),
];

/** The parts that every service is composed of. */
interface OpenServices {
  readonly server: FastifyInstance;
  readonly database: Database;
  readonly metrics: Registry;
  readonly baseUrl: string;
}

interface ComposedServices {
  readonly app: NestFastifyApplication;
  /** Drains. */
  close(): Promise<void>;
}

/** Mounts every service on one server, joined by in-process adapters. */
export async function compose(foundation: Foundation): Promise<ComposedServices> {
  const { logger, database, masterKey, webhooks, baseUrl, store, catalog, environment } = foundation;
  const server = openServer(foundation);
  const metrics = createMetrics('svc');
  mountHealth(server, dependenciesOf(foundation), metrics, { metricsToken: foundation.metricsToken });
  const services = { server, database, logger, metrics, masterKey, baseUrl, store, clock: systemClock };
  const mail = foundation.mailer === null ? {} : { mailer: foundation.mailer };
  const callers = openKnownCallers(services);
  const events = eventsOf(foundation, metrics);
  const payments = paymentsOf(foundation, services);
  const app = await NestFactory.create<NestFastifyApplication>(
    AllInOneModule.register({
      api: {
        ...services,
        platformTokenSha256: foundation.platformTokenSha256,
        managementCallsPerMinute: foundation.managementCallsPerMinute,
        ...callers,
        approvedCalls: approvedCallQueue(services),
        otherRoutes,
      },
      edge: {
        ...services,
        catalog,
        environment,
        calls: events.calls,
        ...edgeOf(foundation),
      },
      management: {
        ...services,
        catalog: () => catalog.current(),
        allowPrivateWebhooks: webhooks.allowPrivate,
        ...foundation.management,
        endpointSliceSeconds: foundation.endpointSliceSeconds,
        payments: payments ?? undefined,
        ...mail,
      },
      auth: { ...services, ...mail },
      console: { server },
      worker: {
        ...services,
        events: events.client,
        ...foundation.worker,
        catalog: () => catalog.current(),
        environment,
        payments,
      },
      dispatcher: { ...services, ...webhooks, ...mail },
    }),
    new MountedAdapter(server),
    { logger: nestLogger(logger), abortOnError: false },
  );
  await startListening(app, events.server);
  await app.init();
  const close = async (): Promise<void> => {
    await app.close();
    await events.client.close();
    await callers.stop();
  };
  return { app, close };
}

const openServer = ({ logger, proxies, baseUrl }: Foundation): FastifyInstance =>
  createHttpServer({
    logger,
    proxies,
    isHttps: baseUrl.startsWith('https:'),
    renderError: renderRouteError,
    explainError: explainFailure,
  });

const edgeOf = ({ redis, edge }: Foundation): EdgeSettings & Pick<EdgeRuntime, 'limiter'> =>
  redis === null ? edge : { ...edge, limiter: new RedisLimiter(new RedisBuckets(redis)) };

function paymentsOf({ payments }: Foundation, services: OpenServices) {
  if (payments === null) return null;
  return { ...services, ...payments, settlement: openSettlement({ ...services, ...payments }) };
}

/** The worker emits events, and the edge hands calls over, to the dispatcher's handlers. */
function eventsOf(
  { kafka, database, logger }: Foundation,
  metrics: Registry,
): { readonly server: EventServer; readonly client: EventClient; readonly calls: CallClient } {
  const consumption = { parking: new ParkedMessageStore(database), logger, metrics };
  if (kafka === null) {
    const server = new InProcessEventServer(consumption);
    return { server, client: new InProcessEventClient(server), calls: new InProcessCallClient(server) };
  }
  const address = { ...kafka, clientId: 'svc' };
  return {
    server: new KafkaEventServer({ ...consumption, ...address }),
    client: new KafkaEventClient({ ...address, logger }),
    calls: new KafkaCallClient({ ...address, logger }),
  };
}

function dependenciesOf({ database, redis }: Foundation): Dependency[] {
  return [
    { name: 'postgresql', check: () => database.pool.query('select 1') },
    ...(redis === null ? [] : [{ name: 'redis', check: () => redis.ping() }]),
  ];
}
