import { type RecordedEvent } from '@svc/events';
import { prismaOf, type Transaction } from '../database/unit-of-work';

/** Where a change tells of itself: in its own transaction, so that neither exists without the other. */
export class Outbox {
  async append(tx: Transaction, ...events: readonly RecordedEvent[]): Promise<void> {
    await prismaOf(tx).outboxEvent.createMany({
      data: events.map(({ id, organizationId, type, payload }) => ({ id, organizationId, type, payload })),
    });
  }
}
