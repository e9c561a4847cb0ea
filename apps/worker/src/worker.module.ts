import { type BeforeApplicationShutdown, type DynamicModule, Module } from '@nestjs/common';
import { type ClientProxy } from '@nestjs/microservices';
import { type Catalog } from '@svc/catalog';
import { type Database } from '@svc/database';
import { type MasterKey, RepeatingTask, type TaskOptions } from '@svc/runtime';
import { type Logger, type Registry } from '@svc/runtime/observability';
import { type ObjectStore } from '@svc/storage';
import { accessTasks } from './access.tasks';
import { alertTasks } from './alerts.tasks';
import { approvalTasks } from './approvals.tasks';
import { databaseTasks } from './database.tasks';
import { deliveryTasks } from './deliveries.tasks';
import { exportTasks, type ExportSettings } from './exports.tasks';
import { fineTuningTasks, type FineTuningSettings } from './fine-tuning.tasks';
import { incidentTasks } from './incidents.tasks';
import { ledgerTasks } from './ledger.tasks';
import { paymentTasks, type OpenPayments } from './payments.tasks';
import { rolloutTasks } from './policy.tasks';
import { retentionTasks } from './retention.tasks';
import { usageTasks } from './usage.tasks';

export interface WorkerRuntime {
  readonly database: Database;
  /** Takes the events of the outbox, in batches. */
  readonly events: ClientProxy;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Seals the signing keys. */
  readonly masterKey: MasterKey;
  /** Whole months of calls kept besides the current one: `SVC_REQUEST_RETENTION_MONTHS`. Null keeps all. */
  readonly requestMonthsKept: number | null;
  /** True where its metrics show wallets and budgets by organization: `SVC_ORGANIZATION_METRICS`. */
  readonly organizationMetrics: boolean;
  /** The catalog as last loaded. */
  readonly catalog: () => Catalog;
  /** Where the variables are that the catalog names. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How long circuits are open before an automatic incident: `SVC_INCIDENT_AFTER_SECONDS`. */
  readonly incidentAfterSeconds: number;
  /** How often alert rules are evaluated: `SVC_ALERT_TICK_SECONDS`. */
  readonly alertTickSeconds: number;
  /** Where the files of exports are kept. */
  readonly store: ObjectStore;
  readonly exports: ExportSettings;
  /** Null where payments are off: `SVC_PAYMENTS`. */
  readonly payments: OpenPayments | null;
  readonly fineTuning: FineTuningSettings;
}

/** Tells the work that takes long that the service stops, before it waits for it. */
class StopSignal implements BeforeApplicationShutdown {
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;

  beforeApplicationShutdown(): void {
    this.controller.abort();
  }
}

/** Runs all periodic tasks. */
@Module({})
export class WorkerModule {
  static register(runtime: WorkerRuntime): DynamicModule {
    const { logger } = runtime;
    const stop = new StopSignal();
    const tasks = tasksOfDomains(runtime, stop.signal).map((task) => ({
      provide: `task:${task.name}`,
      useValue: new RepeatingTask({ ...task, logger }),
    }));
    return { module: WorkerModule, providers: [{ provide: StopSignal, useValue: stop }, ...tasks] };
  }
}

const tasksOfDomains = (
  runtime: WorkerRuntime,
  stopping: AbortSignal,
): readonly Omit<TaskOptions, 'logger'>[] => [
  ...databaseTasks(runtime),
  ...ledgerTasks(runtime),
  ...accessTasks(runtime),
  ...alertTasks(runtime),
  ...approvalTasks(runtime),
  ...deliveryTasks(runtime.database),
  ...exportTasks(runtime, stopping),
  ...fineTuningTasks(runtime, stopping),
  ...incidentTasks(runtime),
  ...paymentTasks(runtime),
  ...retentionTasks(runtime.database),
  ...rolloutTasks(runtime),
  ...usageTasks(runtime),
];
