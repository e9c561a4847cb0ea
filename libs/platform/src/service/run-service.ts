import { type DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestFastifyApplication } from '@nestjs/platform-fastify';
import { type FastifyInstance } from 'fastify';
import { createHttpServer, type HttpServerOptions } from '../http/http-server';
import { MountedAdapter } from '../http/mounted-adapter';
import { mountHealth, type Dependency } from '../observability/health';
import { createLogger, nestLogger, type Logger } from '../observability/logger';
import { createMetrics, type Registry } from '../observability/metrics';
import { Departure } from './departure';
import { endInOneLine } from './end-in-one-line';
import { stopOnSignal } from './stop-on-signal';

/** The variables that every separate service has, as `serviceVariables` reads them. */
export interface ServiceEnvironment {
  readonly SVC_HOST: string;
  readonly SVC_PORT: number;
  readonly SVC_TRUSTED_PROXIES: number;
  readonly SVC_STOP_DELAY_SECONDS: number;
  readonly SVC_LOG_LEVEL: Parameters<typeof createLogger>[0]['level'];
}

/** What every service is built upon. */
export interface ServiceBase {
  readonly server: FastifyInstance;
  readonly logger: Logger;
  readonly metrics: Registry;
}

export interface ComposedService {
  readonly module: DynamicModule;
  /** What `/readyz` asks. */
  readonly dependencies: readonly Dependency[];
  /** Lets go of what it runs on, once the module has drained. */
  close(): Promise<void>;
}

/**
 * Runs one service as a process of its own: serves, says when it is ready, and drains on SIGTERM. A start that fails ends
 * the process with one line.
 */
export function runService(
  name: string,
  start: () => {
    readonly environment: ServiceEnvironment;
    readonly compose: (base: ServiceBase) => Promise<ComposedService>;
    readonly renderError?: HttpServerOptions['renderError'];
  },
): void {
  serve(name, start).catch(endInOneLine(name));
}

async function serve(name: string, start: Parameters<typeof runService>[1]): Promise<void> {
  const { environment, compose, renderError } = start();
  const logger = createLogger({ service: name, level: environment.SVC_LOG_LEVEL });
  const server = createHttpServer({
    logger,
    proxies: environment.SVC_TRUSTED_PROXIES,
    ...(renderError === undefined ? {} : { renderError }),
  });
  const departure = new Departure(server, environment.SVC_STOP_DELAY_SECONDS * 1_000);
  const metrics = createMetrics(name);
  const { module, dependencies, close } = await compose({ server, logger, metrics });
  mountHealth(server, dependencies, metrics, () => departure.hasBegun);
  const app = await NestFactory.create<NestFastifyApplication>(module, new MountedAdapter(server), {
    logger: nestLogger(logger),
    abortOnError: false,
  });
  await app.listen(environment.SVC_PORT, environment.SVC_HOST);
  logger.info({ host: environment.SVC_HOST, port: environment.SVC_PORT }, 'ready');
  stopOnSignal(logger, async () => {
    await departure.begin();
    await app.close();
    await close();
  });
}
