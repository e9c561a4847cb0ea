import { type DynamicModule, Module } from '@nestjs/common';
import { EdgeModule, type EdgeRuntime } from '@svc/edge';
import { InProcessTransport } from '@svc/messaging';
import { WorkerModule } from '@svc/worker';

/** The embedded composition: the services' own modules, joined by in-process adapters. */
@Module({})
export class AllInOneModule {
  static register(runtime: EdgeRuntime): DynamicModule {
    const { database, logger } = runtime;
    return {
      module: AllInOneModule,
      imports: [
        EdgeModule.register(runtime),
        WorkerModule.register({ database, logger, transport: new InProcessTransport() }),
      ],
    };
  }
}
