import { type DynamicModule, Module } from '@nestjs/common';
import { type EventTransport } from '@svc/messaging';
import {
  BudgetSpendStore,
  type Database,
  DeliveryRetention,
  IdempotencyStore,
  LedgerStore,
  OutboxStore,
  ParkedMessageStore,
  RequestMonths,
  RequestRecordStore,
  SessionStore,
  SigningKeyStore,
  TokenStore,
} from '@svc/persistence';
import {
  createSealer,
  type Logger,
  type MasterKey,
  type Registry,
  systemClock,
  systemIds,
} from '@svc/platform';
import { announceBudgetCrossings } from './budgets/announce-budget-crossings';
import { reconcileBudgets } from './budgets/reconcile-budgets';
import { relayOutbox } from './outbox-relay/relay-outbox';
import { measureParkedMessages } from './parked-messages/measure-parked-messages';
import { AbandonedCalls } from './reconciliation/close-abandoned-calls';
import { finaliseProvisionalCosts } from './reconciliation/finalise-provisional-costs';
import { turnSigningKeys } from './signing-keys/turn-signing-keys';
import { deleteExpiredClaims } from './retention/delete-expired-claims';
import { deleteExpiredLogins } from './retention/delete-expired-logins';
import {
  deleteIdleSessions,
  deleteOldDeliveries,
  deletePublishedEvents,
} from './retention/delete-old-history';
import { dropOldRequestMonths, makeRequestMonths } from './retention/keep-request-months';
import { RepeatingTask } from './schedule/repeating-task';

export interface WorkerRuntime {
  readonly database: Database;
  readonly transport: EventTransport;
  readonly logger: Logger;
  readonly metrics: Registry;
  /** Seals the signing keys. */
  readonly masterKey: MasterKey;
  /** How many whole months of calls are kept beside the current one: `SVC_REQUEST_RETENTION_MONTHS`. Null: all, for ever. */
  readonly requestMonthsKept: number | null;
}

const RELAY_EVERY_MS = 500;
const RECONCILE_EVERY_MS = 5_000;
const RECONCILE_BUDGETS_EVERY_MS = 30_000;
const FORGET_EVERY_MS = 60_000;
const DELETE_HISTORY_EVERY_MS = 3_600_000;
const KEEP_MONTHS_EVERY_MS = 3_600_000;
const TURN_KEYS_EVERY_MS = 3_600_000;

/** Everything that a clock drives. */
@Module({})
export class WorkerModule {
  static register(runtime: WorkerRuntime): DynamicModule {
    const { database, transport, logger, metrics, masterKey, requestMonthsKept } = runtime;
    measureParkedMessages(new ParkedMessageStore(database), metrics, logger);
    const outbox = new OutboxStore(database);
    const records = new RequestRecordStore(database);
    const months = new RequestMonths(database);
    const budgets = new BudgetSpendStore(database);
    const claims = new IdempotencyStore(database);
    const deliveries = new DeliveryRetention(database);
    const sessions = new SessionStore(database);
    const tokens = new TokenStore(database);
    const signingKeys = new SigningKeyStore(database, createSealer(masterKey));
    const books = { records, ledger: new LedgerStore(database), clock: systemClock, newId: systemIds };
    const abandonedCalls = new AbandonedCalls(books);
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
        task('abandoned-calls', RECONCILE_EVERY_MS, () => abandonedCalls.close()),
        task('expired-claims', FORGET_EVERY_MS, () => deleteExpiredClaims(claims)),
        task('expired-logins', FORGET_EVERY_MS, () =>
          deleteExpiredLogins({ sessions, tokens, clock: systemClock }),
        ),
        task('signing-keys', TURN_KEYS_EVERY_MS, () => turnSigningKeys(signingKeys, systemClock)),
        task('idle-sessions', DELETE_HISTORY_EVERY_MS, () => deleteIdleSessions(budgets)),
        task('old-deliveries', DELETE_HISTORY_EVERY_MS, () => deleteOldDeliveries(deliveries)),
        task('published-events', DELETE_HISTORY_EVERY_MS, () => deletePublishedEvents(outbox)),
        task('request-months', KEEP_MONTHS_EVERY_MS, () => makeRequestMonths(months, systemClock)),
        task('old-requests', DELETE_HISTORY_EVERY_MS, () =>
          dropOldRequestMonths(months, systemClock, requestMonthsKept),
        ),
        task('provisional-costs', RECONCILE_EVERY_MS, () => finaliseProvisionalCosts(records)),
      ],
    };
  }
}
