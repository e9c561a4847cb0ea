import { type DynamicModule, Module } from '@nestjs/common';
import { type EventTransport } from '@svc/messaging';
import { type Database, LedgerStore, OutboxStore, RequestRecordStore } from '@svc/persistence';
import { type Logger, systemClock, systemIds } from '@svc/platform';
import { relayOutbox } from './outbox-relay/relay-outbox';
import { closeAbandonedCalls } from './reconciliation/close-abandoned-calls';
import { finaliseProvisionalCosts } from './reconciliation/finalise-provisional-costs';
import { RepeatingTask } from './schedule/repeating-task';

export interface WorkerRuntime {
  readonly database: Database;
  readonly transport: EventTransport;
  readonly logger: Logger;
}

const RELAY_EVERY_MS = 500;
const RECONCILE_EVERY_MS = 5_000;

/** Everything that a clock drives. */
@Module({})
export class WorkerModule {
  static register({ database, transport, logger }: WorkerRuntime): DynamicModule {
    const outbox = new OutboxStore(database);
    const records = new RequestRecordStore(database);
    const books = { records, ledger: new LedgerStore(database), clock: systemClock, newId: systemIds };
    const task = (name: string, everyMs: number, run: () => Promise<{ readonly more: boolean }>) => ({
      provide: `task:${name}`,
      useValue: new RepeatingTask({ name, everyMs, logger, run }),
    });
    return {
      module: WorkerModule,
      providers: [
        task('outbox-relay', RELAY_EVERY_MS, () => relayOutbox(outbox, transport)),
        task('abandoned-calls', RECONCILE_EVERY_MS, () => closeAbandonedCalls(books)),
        task('provisional-costs', RECONCILE_EVERY_MS, () => finaliseProvisionalCosts(records)),
      ],
    };
  }
}
