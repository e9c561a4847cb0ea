import { type RecordedEvent } from '@svc/events';
import { prismaOf, type Transaction } from '../database/unit-of-work';

/** Records the event of a change in the same transaction, so that neither exists without the other. */
export class Outbox {
  async append(tx: Transaction, ...events: readonly RecordedEvent[]): Promise<void> {
    const column = (name: keyof RecordedEvent) => events.map((event) => event[name]);
    // One array a column: a batch has hundreds of events, and a parameter for each of their fields costs as much again.
    await prismaOf(tx).$executeRaw`
      INSERT INTO outbox_events (id, organization_id, type, payload)
      SELECT * FROM unnest(${column('id')}::text[], ${column('organizationId')}::text[], ${column('type')}::text[],
        ${column('payload')}::text[])`;
  }
}
