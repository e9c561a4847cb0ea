import { join } from 'node:path';
import { type DynamicModule, Module } from '@nestjs/common';
import { type FastifyInstance } from 'fastify';
import { readBuiltFiles } from './files/built-files';
import { serveConsole } from './serve-console';

/** `dist/apps/console/web`, beside the built service. */
const BUILT = join(__dirname, '../web');

export interface ConsoleRuntime {
  readonly server: FastifyInstance;
}

/** The browser application: `/console`, everything below it, and the way there from `/`. */
@Module({})
export class ConsoleModule {
  /** @throws Error where the application is not built. */
  static register({ server }: ConsoleRuntime): DynamicModule {
    serveConsole(server, readBuiltFiles(BUILT));
    return { module: ConsoleModule };
  }
}
