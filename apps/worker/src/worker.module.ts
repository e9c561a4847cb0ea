import { type DynamicModule, Module } from '@nestjs/common';
import { type EventTransport } from '@svc/messaging';
import {
  BudgetSpendStore,
  type Database,
  IdempotencyStore,
  LedgerStore,
  OutboxStore,
  RequestRecordStore,
} from '@svc/persistence';
import { type Logger, systemClock, systemIds } from '@svc/platform';
import { announceBudgetCrossings } from './budgets/announce-budget-crossings';
import { reconcileBudgets } from './budgets/reconcile-budgets';
import { relayOutbox } from './outbox-relay/relay-outbox';
import { closeAbandonedCalls } from './reconciliation/close-abandoned-calls';
import { finaliseProvisionalCosts } from './reconciliation/finalise-provisional-costs';
import { deleteExpiredClaims } from './retention/delete-expired-claims';
import { deleteIdleSessions, deletePublishedEvents } from './retention/delete-old-history';
import { RepeatingTask } from './schedule/repeating-task';

export interface WorkerRuntime {
  readonly database: Database;
  readonly transport: EventTransport;
  readonly logger: Logger;
}

const RELAY_EVERY_MS = 500;
const RECONCILE_EVERY_MS = 5_000;
const RECONCILE_BUDGETS_EVERY_MS = 30_000;
const FORGET_EVERY_MS = 60_000;
const DELETE_HISTORY_EVERY_MS = 3_600_000;

/** Everything that a clock drives. */
@Module({})
export class WorkerModule {
  static register({ database, transport, logger }: WorkerRuntime): DynamicModule {
    const outbox = new OutboxStore(database);
    const records = new RequestRecordStore(database);
    const budgets = new BudgetSpendStore(database);
    const claims = new IdempotencyStore(database);
    const books = { records, ledger: new LedgerStore(database), clock: systemClock, newId: systemIds };
    const task = (name: string, everyMs: number, run: () => Promise<{ readonly more: boolean }>) => ({
      provide: `task:${name}`,
      useValue: new RepeatingTask({ name, everyMs, logger, run }),
    });
    return {
      module: WorkerModule,
      providers: [
        task('outbox-relay', RELAY_EVERY_MS, () => relayOutbox(outbox, transport)),
        task('budget-events', RECONCILE_EVERY_MS, () => announceBudgetCrossings(budgets)),
        task('budget-reconciliation', RECONCILE_BUDGETS_EVERY_MS, () => reconcileBudgets(budgets)),
        task('abandoned-calls', RECONCILE_EVERY_MS, () => closeAbandonedCalls(books)),
        task('expired-claims', FORGET_EVERY_MS, () => deleteExpiredClaims(claims)),
        task('idle-sessions', DELETE_HISTORY_EVERY_MS, () => deleteIdleSessions(budgets)),
        task('published-events', DELETE_HISTORY_EVERY_MS, () => deletePublishedEvents(outbox)),
        task('provisional-costs', RECONCILE_EVERY_MS, () => finaliseProvisionalCosts(records)),
      ],
    };
  }
}
