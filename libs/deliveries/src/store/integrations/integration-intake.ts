import { prismaOf, type Transaction } from '@svc/database';
import { timeOfId, type JsonValue, type NewId } from '@svc/kernel';
import { systemIds } from '@svc/runtime';
import { type MessageKind } from '../../rules/configuration/integration-kinds';
import { isSentTo } from '../../rules/messages/subscription';
import { renderMessage } from '../../rules/rendering/render-message';
import { type DeliverableEvent } from '../webhooks/delivery-intake';
import { type NewIntegrationDelivery, queueIntegrationDeliveries } from './integration-delivery-store';

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
  constructor(private readonly newId: NewId = systemIds) {}

  /**
   * Queues a message to each integration that subscribes to an event and existed when it happened. Paused and disabled
   * ones are included: theirs wait. A repeat queues only missing ones.
   * @returns how many were queued.
   */
  async recordDeliveries(tx: Transaction, events: readonly DeliverableEvent[]): Promise<number> {
    const offered = events.filter(({ type }) => type !== QUEUED_ALREADY);
    if (offered.length === 0) return 0;
    const organizationIds = new Set(offered.map(({ organizationId }) => organizationId));
    const integrations = Map.groupBy(
      await messageIntegrationsOf(tx, [...organizationIds]),
      ({ organizationId }) => organizationId,
    );
    const messages = offered.flatMap((event) =>
      this.messagesOf(event, integrations.get(event.organizationId) ?? []),
    );
    return (await queueIntegrationDeliveries(tx, messages)).length;
  }

  private messagesOf(
    { id, type, organizationId, payload }: DeliverableEvent,
    integrations: readonly SubscribedIntegration[],
  ): readonly NewIntegrationDelivery[] {
    const subscribed = integrations.filter(({ kind, eventTypes }) => isSentTo(kind, eventTypes, type));
    if (subscribed.length === 0) return [];
    const { created_at: createdAt, data } = JSON.parse(payload) as Envelope;
    const notice = { id, type, createdAt, data };
    return subscribed
      .filter((integration) => timeOfId(integration.id) <= Date.parse(createdAt))
      .map(({ id: integrationId, kind }) => ({
        id: this.newId('webhookDelivery'),
        organizationId,
        integrationId,
        eventId: id,
        eventType: type,
        body: renderMessage(kind, notice),
        alertId: null,
      }));
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
