import { type Database, prismaOf, type Transaction, UnitOfWork } from '@svc/database';
import { timeOfId, type JsonValue, type NewId } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { type MessageKind } from '../../rules/configuration/integration-kinds';
import { isSentTo } from '../../rules/messages/subscription';
import { renderMessage } from '../../rules/rendering/render-message';
import { type DeliverableEvent } from '../webhooks/delivery-intake';
import { queueIntegrationDeliveries } from './integration-delivery-store';

/** An integration as a message's fan-out sees it. */
export interface SubscribedIntegration {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: MessageKind;
  /** Empty: every event. */
  readonly eventTypes: readonly string[];
}

/** Whoever writes that an alert fired queues its messages too (docs/decisions/0042). */
const QUEUED_ALREADY = 'alert.fired';

/** Turns events into messages to integrations. */
export class IntegrationIntake {
  private readonly unitOfWork: UnitOfWork;

  constructor(
    database: Database,
    private readonly newId: NewId = systemIds,
  ) {
    this.unitOfWork = new UnitOfWork(database);
  }

  /**
   * Queues a message to each integration that subscribes to the event and existed when it happened. Paused and disabled
   * ones are included: theirs wait. A repeat queues only missing ones.
   * @returns how many were queued.
   */
  async record({ id, type, organizationId, payload }: DeliverableEvent): Promise<number> {
    if (type === QUEUED_ALREADY) return 0;
    return this.unitOfWork.transaction(async (tx) => {
      const subscribed = (await messageIntegrationsOf(tx, [organizationId])).filter(({ kind, eventTypes }) =>
        isSentTo(kind, eventTypes, type),
      );
      if (subscribed.length === 0) return 0;
      const { created_at: createdAt, data } = JSON.parse(payload) as Envelope;
      const recipients = subscribed.filter(
        (integration) => timeOfId(integration.id) <= Date.parse(createdAt),
      );
      if (recipients.length === 0) return 0;
      const notice = { id, type, createdAt, data };
      const queued = await queueIntegrationDeliveries(
        tx,
        recipients.map(({ id: integrationId, kind }) => ({
          id: this.newId('webhookDelivery'),
          organizationId,
          integrationId,
          eventId: id,
          eventType: type,
          body: renderMessage(kind, notice),
          alertId: null,
        })),
      );
      return queued.length;
    });
  }
}

interface Envelope {
  readonly created_at: string;
  readonly data: Readonly<Record<string, JsonValue>>;
}

/** All integrations of these organizations that take messages. */
export function messageIntegrationsOf(
  tx: Transaction,
  organizationIds: readonly string[],
): Promise<readonly SubscribedIntegration[]> {
  return prismaOf(tx).integration.findMany({
    where: { organizationId: { in: [...organizationIds] }, deletedAt: null, kind: { not: 'otlp' } },
    select: { id: true, organizationId: true, kind: true, eventTypes: true },
    orderBy: { id: 'asc' },
  }) as Promise<readonly SubscribedIntegration[]>;
}
