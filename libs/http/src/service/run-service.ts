import { type DynamicModule, type ITransportServer } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type TrustedProxies } from '@svc/kernel';
import { exitWithError, logProcessEvents, stopOnSignal } from '@svc/runtime';
import { createLogger, createMetrics, type Logger, type Registry } from '@svc/runtime/observability';
import { type FastifyInstance } from 'fastify';
import { createHttpServer, type HttpServerOptions } from '../server/http-server';
import { MountedAdapter } from '../server/mounted-adapter';
import { mountHealth, type Dependency } from '../observability/health';
import { nestLogger } from '../observability/nest-logger';
import { Draining } from './draining';
import { startListening } from './start-listening';

/** The variables of every separate service, parsed by `serviceVariables`. */
interface ServiceEnvironment {
  readonly SVC_HOST: string;
  readonly SVC_PORT: number;
  readonly SVC_TRUSTED_PROXIES: TrustedProxies;
  /** Of the services that know it. */
  readonly SVC_BASE_URL?: string | undefined;
  readonly SVC_STOP_DELAY_SECONDS: number;
  readonly SVC_LOG_LEVEL: Parameters<typeof createLogger>[0]['level'];
}

/** The parts that every service is composed of. */
interface ServiceBase {
  readonly server: FastifyInstance;
  readonly logger: Logger;
  readonly metrics: Registry;
}

interface ComposedService {
  readonly module: DynamicModule;
  /** The transport for the module's `@EventPattern` handlers. It is closed before the module drains. */
  readonly events?: ITransportServer;
  /** The checks of `/readyz`. */
  readonly dependencies: readonly Dependency[];
  /** Closes connections after the module has drained. */
  close(): Promise<void>;
}

/**
 * Runs one service as a separate process: it serves, reports readiness, and drains on SIGTERM. A failed start ends the
 * process with one line.
 */
export function runService(
  name: string,
  start: () => {
    readonly environment: ServiceEnvironment;
    readonly compose: (base: ServiceBase) => Promise<ComposedService>;
  } & Pick<HttpServerOptions, 'renderError' | 'explainError'>,
): void {
  serve(name, start).catch(exitWithError(name));
}

async function serve(name: string, start: Parameters<typeof runService>[1]): Promise<void> {
  const { environment, compose, ...errors } = start();
  const logger = createLogger({ service: name, level: environment.SVC_LOG_LEVEL });
  logProcessEvents(logger);
  const server = createHttpServer({
    logger,
    proxies: environment.SVC_TRUSTED_PROXIES,
    isHttps: environment.SVC_BASE_URL?.startsWith('https:') === true,
    ...errors,
  });
  const draining = new Draining(server, environment.SVC_STOP_DELAY_SECONDS * 1_000);
  const metrics = createMetrics(name);
  const { module, events, dependencies, close } = await compose({ server, logger, metrics });
  mountHealth(server, dependencies, metrics, { isStopping: () => draining.hasBegun });
  const app = await NestFactory.create<NestFastifyApplication>(module, new MountedAdapter(server), {
    logger: nestLogger(logger),
    abortOnError: false,
  });
  if (events !== undefined) await startListening(app, events);
  await app.listen(environment.SVC_PORT, environment.SVC_HOST);
  logger.info({ host: environment.SVC_HOST, port: environment.SVC_PORT }, 'ready');
  stopOnSignal(logger, async () => {
    await draining.begin();
    await app.close();
    await close();
  });
}
