import { type EventData, type EventType, recordEvent } from '@svc/events';
import { type Clock, type NewId } from '@svc/kernel';
import { systemClock, systemIds } from '@svc/platform';
import { type Actor } from '@svc/platform/api';
import { type Database } from '../database/database';
import { type Transaction, UnitOfWork } from '../database/unit-of-work';
import { Outbox } from '../outbox/outbox';
import { AuditLog, type AuditEntry, type Changes } from './audit-log';

/** Whose change it is, and where. Every {@link Caller} is one. */
export interface ChangeAuthor {
  readonly organizationId: string;
  readonly actor: Actor;
  readonly requestId: string | null;
}

/** A change that is being made: its rows, its audit entries and its events commit together, or none does. */
export interface Mutation {
  readonly tx: Transaction;
  readonly newId: NewId;
  readonly at: Date;
  /** Says in the audit log what was done to the thing with this id. */
  audit(action: AuditEntry['action'], targetId: string, changes?: Changes): Promise<void>;
  /** Tells the organization's webhook endpoints. */
  announce<T extends EventType>(type: T, data: EventData[T]): Promise<void>;
}

/** Makes changes that leave a trace (contract.md section 3). */
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
