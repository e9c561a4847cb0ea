import { type RecordedEvent } from '@svc/events';
import { prismaOf, type Transaction } from '../database/unit-of-work';

/** Records the event of a change in the same transaction, so that neither exists without the other. */
export class Outbox {
  async append(tx: Transaction, ...events: readonly RecordedEvent[]): Promise<void> {
    await prismaOf(tx).outboxEvent.createMany({
      data: events.map(({ id, organizationId, type, payload }) => ({ id, organizationId, type, payload })),
    });
  }
}
