import { setTimeout } from 'node:timers/promises';
import { recordEvent } from '@svc/events';
import { type Database, UnitOfWork } from '@svc/database';
import {
  type ClaimedWebhookDelivery,
  DeliveryIntake,
  type DeliverySettlement,
  type SettledDelivery,
  webhookSchedule,
  type WebhookSchedule,
  webhookSettlement,
} from '@svc/deliveries/store';
import { systemIds } from '@svc/runtime';

/** Changes deliveries as the dispatcher does, but sends nothing. */
export class AttemptsOfSpec {
  private readonly intake = new DeliveryIntake();
  private readonly schedule: WebhookSchedule;
  private readonly settlement: DeliverySettlement;

  constructor(private readonly database: Database) {
    this.schedule = webhookSchedule(database);
    this.settlement = webhookSettlement(database);
  }

  /** Queues an event for these endpoints. @returns its id. */
  async deliver(organizationId: string, ...endpointIds: readonly string[]): Promise<string> {
    const id = systemIds('event');
    const of = { level: 'organization' as const, project_id: null, api_key_id: null };
    const data = { policy_id: systemIds('policy'), version: 7, ...of };
    const event = recordEvent(id, 'policy.updated', organizationId, Date.now(), data);
    await new UnitOfWork(this.database).transaction((tx) =>
      this.intake.recordDeliveries(tx, [{ event, endpointIds }]),
    );
    // The delivery's due time is rounded to a millisecond, so it may be half of one in the future.
    await setTimeout(1);
    return id;
  }

  /** Begins every attempt that is due. @returns those to this endpoint. */
  async begin(endpointId: string): Promise<readonly ClaimedWebhookDelivery[]> {
    const begun: ClaimedWebhookDelivery[] = [];
    for (let next = await this.beginOne(endpointId); next !== null; next = await this.beginOne(endpointId)) {
      begun.push(next);
    }
    return begun;
  }

  end(delivery: ClaimedWebhookDelivery, statusCode: number): Promise<SettledDelivery | null> {
    return this.settlement.settle({
      delivery,
      outcome: statusCode === 204 ? 'acknowledged' : 'failed',
      isOwnFault: false,
      durationMs: 12,
      statusCode,
      error: null,
      responseExcerpt: 'an answer',
    });
  }

  /** One attempt, begun and ended. */
  async attempt(endpointId: string, statusCode: number): Promise<ClaimedWebhookDelivery> {
    const delivery = await this.beginOne(endpointId);
    if (delivery === null) throw new Error('Nothing is to be sent');
    await this.end(delivery, statusCode);
    return delivery;
  }

  /** Makes the next attempt due. */
  async passDelay(deliveryId: string): Promise<void> {
    await this.database.prisma.webhookDelivery.update({
      where: { id: deliveryId },
      data: { nextAttemptAt: new Date(Date.now() - 1_000) },
    });
  }

  /** Skips what other specs left queued. */
  private async beginOne(endpointId: string): Promise<ClaimedWebhookDelivery | null> {
    for (;;) {
      const [claimed] = await this.schedule.claimDeliveries(1);
      if (claimed === undefined) return null;
      if (claimed.receiverId === endpointId) return claimed;
    }
  }
}
