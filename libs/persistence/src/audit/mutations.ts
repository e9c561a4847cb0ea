import { type EventData, type EventType, recordEvent } from '@svc/events';
import { type Actor, type Clock, type NewId } from '@svc/kernel';
import { systemClock, systemIds } from '@svc/platform';
import { type Database } from '../database/database';
import { type Transaction, UnitOfWork } from '../database/unit-of-work';
import { Outbox } from '../outbox/outbox';
import { AuditLog, type AuditEntry, type Changes } from './audit-log';

/** Who makes a change, and in which organization. Every {@link Caller} is one. */
export interface ChangeAuthor {
  readonly organizationId: string;
  readonly actor: Actor;
  readonly requestId: string | null;
}

/** A change under way. Its rows, audit entries and events commit together, or none does. */
export interface Mutation {
  readonly tx: Transaction;
  readonly newId: NewId;
  readonly at: Date;
  /** Writes an audit entry about the resource with this id. */
  audit(action: AuditEntry['action'], targetId: string, changes?: Changes): Promise<void>;
  /** Sends an event to the organization's webhook endpoints. */
  announce<T extends EventType>(type: T, data: EventData[T]): Promise<void>;
}

/** Makes changes with their audit entries (docs/reference/management-conventions.md#audit-log). */
export class Mutations {
  private readonly unitOfWork: UnitOfWork;
  private readonly auditLog: AuditLog;
  private readonly outbox = new Outbox();

  constructor(
    database: Database,
    private readonly newId: NewId = systemIds,
    private readonly clock: Clock = systemClock,
  ) {
    this.unitOfWork = new UnitOfWork(database);
    this.auditLog = new AuditLog(database, newId);
  }

  run<T>(author: ChangeAuthor, work: (mutation: Mutation) => Promise<T>): Promise<T> {
    return this.unitOfWork.transaction((tx) => work(this.mutation(author, tx)));
  }

  private mutation({ organizationId, actor, requestId }: ChangeAuthor, tx: Transaction): Mutation {
    const { newId } = this;
    const nowMs = this.clock.now();
    return {
      tx,
      newId,
      at: new Date(nowMs),
      audit: (action, targetId, changes = {}) =>
        this.auditLog.append(tx, { organizationId, actor, action, targetId, changes, requestId }),
      announce: (type, data) =>
        this.outbox.append(tx, recordEvent(newId('event'), type, organizationId, nowMs, data)),
    };
  }
}
