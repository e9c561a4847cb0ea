import { type RecordedEvent } from '@svc/events';
import { prismaOf, type Transaction } from '../database/unit-of-work';
import { Prisma } from '../generated/prisma/client';

/** Records the event of a change in the same transaction, so that neither exists without the other. */
export class Outbox {
  async append(tx: Transaction, ...events: readonly RecordedEvent[]): Promise<void> {
    await prismaOf(tx).$executeRaw(outboxInsert(events));
  }
}

/** The statement that records events. */
export function outboxInsert(events: readonly RecordedEvent[]): Prisma.Sql {
  const column = (name: keyof RecordedEvent) => events.map((event) => event[name]);
  // One array a column: a batch has hundreds of events, and a parameter for each of their fields costs as much again.
  return Prisma.sql`
    INSERT INTO outbox_events (id, organization_id, type, payload)
    SELECT * FROM unnest(${column('id')}::text[], ${column('organizationId')}::text[], ${column('type')}::text[],
      ${column('payload')}::text[])`;
}
