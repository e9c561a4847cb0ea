import { type DeliveryTables } from '@svc/database';
import { type Prisma } from '@svc/database/rows';
import { type EndpointHealth } from '@svc/events';
import { type NewId } from '@svc/kernel';

/** A receiver that a transaction has locked. */
export interface LockedReceiver extends EndpointHealth {
  readonly id: string;
  readonly organizationId: string;
  readonly isDeleted: boolean;
  /** The database's time. */
  readonly now: Date;
}

/** The deliveries to one sort of receivers: their tables, and what differs from the other sort. */
export interface DeliveryQueue<Receiver extends LockedReceiver = LockedReceiver> {
  readonly tables: DeliveryTables;
  /** The function that claims (`sql-home/delivery-functions.ts`). */
  readonly claimFunction: string;
  /** Columns of the claim that a call is made of, in SQL. */
  readonly callColumns: string;
  /** Columns of the receiver, `r`, that every leased delivery has, in SQL. Empty for none. */
  readonly leasedColumns: string;
  /** Columns of the receiver that `tellDisabled` reads, in SQL. */
  readonly receiverColumns: string;
  /** True where the receiver's table has the time of the last success. */
  readonly hasLastSuccess: boolean;
  /** Statements that tell of a receiver that was disabled, for the transaction that disables it. */
  tellDisabled(receiver: Receiver, consecutiveFailures: number, newId: NewId): readonly Prisma.Sql[];
}
