import { join } from 'node:path';
import { type DynamicModule, Module } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';
import { readBuiltFiles } from './files/built-files';
import { serveApplication } from './serve-application';
import { serveConsole } from './serve-console';

/** `dist/apps/console`, where the applications are beside the built service. */
const BUILT = join(__dirname, '..');

export interface ConsoleRuntime {
  readonly server: FastifyInstance;
}

/**
 * The browser applications: `/console`, everything below it, and the way there from `/`; and the operator's at `/operator`,
 * to which nothing leads.
 */
@Module({})
export class ConsoleModule {
  /** @throws Error where an application is not built. */
  static register({ server }: ConsoleRuntime): DynamicModule {
    serveConsole(server, readBuiltFiles(join(BUILT, 'web')));
    serveApplication(server, '/operator', readBuiltFiles(join(BUILT, 'operator')));
    return { module: ConsoleModule };
  }
}
