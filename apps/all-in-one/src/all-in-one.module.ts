import { type DynamicModule, Module } from '@nestjs/common';
import { ApiModule, type ApiRuntime } from '@svc/api';
import { AuthModule, type AuthRuntime } from '@svc/auth';
import { ConsoleModule, type ConsoleRuntime } from '@svc/console';
import { DispatcherModule, type DispatcherRuntime } from '@svc/dispatcher';
import { EdgeModule, type EdgeRuntime } from '@svc/edge';
import { ManagementModule, type ManagementRuntime } from '@svc/management';
import { WorkerModule, type WorkerRuntime } from '@svc/worker';

interface AllInOneRuntime {
  readonly api: ApiRuntime;
  readonly edge: EdgeRuntime;
  readonly management: ManagementRuntime;
  readonly auth: AuthRuntime;
  readonly console: ConsoleRuntime;
  readonly worker: WorkerRuntime;
  readonly dispatcher: DispatcherRuntime;
}

/** The embedded composition of the services' own modules. */
@Module({})
export class AllInOneModule {
  static register(runtime: AllInOneRuntime): DynamicModule {
    const { api, edge, management, auth, worker, dispatcher } = runtime;
    return {
      module: AllInOneModule,
      imports: [
        ApiModule.register(api),
        EdgeModule.register(edge),
        ManagementModule.register(management),
        AuthModule.register(auth),
        ConsoleModule.register(runtime.console),
        // The dispatcher comes before the worker, whose relay hands it events.
        DispatcherModule.register(dispatcher),
        WorkerModule.register(worker),
      ],
    };
  }
}
