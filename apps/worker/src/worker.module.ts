import { type DynamicModule, Module } from '@nestjs/common';
import { type ClientProxy } from '@nestjs/microservices';
import { SigningKeyStore } from '@svc/access/store';
import { type Catalog } from '@svc/catalog';
import { type Database, OutboxStore, ParkedMessageStore } from '@svc/database';
import { DeliveryRetention } from '@svc/deliveries/store';
import {
  BudgetSpendStore,
  DatabaseHeartbeat,
  LedgerStore,
  RequestMonths,
  RequestRecordStore,
} from '@svc/ledger/store';
import {
  createSealer,
  type MasterKey,
  RepeatingTask,
  systemClock,
  systemIds,
  type TaskOptions,
} from '@svc/runtime';
import { type Logger, type Registry } from '@svc/runtime/observability';
import { type ObjectStore } from '@svc/storage';
import { MoneyFigures } from '@svc/usage/store';
import { alertTasks } from './alerts/alert-tasks';
import { approvalTasks } from './approvals/approval-tasks';
import { announceBudgetCrossings } from './budgets/announce-budget-crossings';
import { BudgetMetrics } from './budgets/budget-metrics';
import { reconcileBudgets } from './budgets/reconcile-budgets';
import { callHourTasks } from './call-hours/call-hour-tasks';
import { exportTasks, StopSignal, type ExportSettings } from './exports/export-tasks';
import { incidentTasks } from './incidents/incident-tasks';
import { paymentTasks, type OpenPayments } from './payments/payment-tasks';
import { relayOutbox } from './outbox-relay/relay-outbox';
import { measureOrganizations } from './organization-metrics/measure-organizations';
import { measureParkedMessages } from './parked-messages/measure-parked-messages';
import { closeAbandonedCalls } from './reconciliation/close-abandoned-calls';
import { beatHeartbeat } from './reconciliation/beat-heartbeat';
import { finaliseProvisionalCosts } from './reconciliation/finalise-provisional-costs';
import { fineTuningTasks, type FineTuningSettings } from './fine-tuning/fine-tuning-tasks';
import { trainingFileTasks } from './training-files/keep-up-training-files';
import { rotateSigningKeys } from './signing-keys/rotate-signing-keys';
import { deleteOldDeliveries } from './retention/delete-old-deliveries';
import { dropOldRequestMonths, makeRequestMonths } from './retention/keep-request-months';
import { retentionTasks } from './retention/retention-tasks';
import { rolloutTasks } from './rollouts/rollout-tasks';

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
  /** Whether its metrics show wallets and budgets by organization: `SVC_ORGANIZATION_METRICS`. */
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

const RELAY_EVERY_MS = 100;
const BEAT_EVERY_MS = 2_000;
const RECONCILE_EVERY_MS = 5_000;
const RECONCILE_BUDGETS_EVERY_MS = 30_000;
const DELETE_HISTORY_EVERY_MS = 3_600_000;
const KEEP_MONTHS_EVERY_MS = 3_600_000;
const ROTATE_KEYS_EVERY_MS = 3_600_000;

type WorkerTask = Omit<TaskOptions, 'logger'>;

/** Runs all periodic tasks. */
@Module({})
export class WorkerModule {
  static register(runtime: WorkerRuntime): DynamicModule {
    const { database, events, logger, metrics, masterKey, requestMonthsKept } = runtime;
    measureParkedMessages(new ParkedMessageStore(database), metrics, logger);
    if (runtime.organizationMetrics) {
      measureOrganizations({ figures: new MoneyFigures(database), metrics, logger });
    }
    const outbox = new OutboxStore(database);
    const records = new RequestRecordStore(database);
    const months = new RequestMonths(database);
    const budgets = new BudgetSpendStore(database);
    const budgetMetrics = new BudgetMetrics(metrics);
    const deliveries = new DeliveryRetention(database);
    const signingKeys = new SigningKeyStore(database, createSealer(masterKey));
    const books = {
      records,
      ledger: new LedgerStore(database, { logger }),
      clock: systemClock,
      newId: systemIds,
    };
    const provideTask = (task: WorkerTask) => ({
      provide: `task:${task.name}`,
      useValue: new RepeatingTask({ ...task, logger }),
    });
    const task = (name: string, everyMs: number, run: WorkerTask['run']) =>
      provideTask({ name, everyMs, run });
    const stop = new StopSignal();
    return {
      module: WorkerModule,
      providers: [
        { provide: StopSignal, useValue: stop },
        provideTask({
          name: 'outbox-relay',
          everyMs: RELAY_EVERY_MS,
          isDue: outbox.isDue,
          run: () => relayOutbox(outbox, events),
        }),
        task('budget-events', RECONCILE_EVERY_MS, () => announceBudgetCrossings(budgets, budgetMetrics)),
        task('budget-reconciliation', RECONCILE_BUDGETS_EVERY_MS, () => reconcileBudgets(budgets)),
        ...tasksOfDomains(runtime, stop.signal).map(provideTask),
        task('database-heartbeat', BEAT_EVERY_MS, beatHeartbeat.bind(null, new DatabaseHeartbeat(database))),
        task('abandoned-calls', RECONCILE_EVERY_MS, () => closeAbandonedCalls(books)),
        task('signing-keys', ROTATE_KEYS_EVERY_MS, () => rotateSigningKeys(signingKeys)),
        task('old-deliveries', DELETE_HISTORY_EVERY_MS, () => deleteOldDeliveries(deliveries)),
        task('request-months', KEEP_MONTHS_EVERY_MS, () => makeRequestMonths(months)),
        task('old-requests', DELETE_HISTORY_EVERY_MS, () => dropOldRequestMonths(months, requestMonthsKept)),
        task('provisional-costs', RECONCILE_EVERY_MS, () => finaliseProvisionalCosts(records)),
      ],
    };
  }
}

const tasksOfDomains = (runtime: WorkerRuntime, stopping: AbortSignal): readonly WorkerTask[] => [
  ...alertTasks(runtime),
  ...approvalTasks(runtime),
  ...callHourTasks(runtime.database),
  ...retentionTasks(runtime.database),
  ...exportTasks(runtime, stopping),
  ...fineTuningTasks(runtime, stopping),
  ...incidentTasks(runtime),
  ...paymentTasks(runtime),
  ...rolloutTasks(runtime),
  ...trainingFileTasks(runtime),
];
