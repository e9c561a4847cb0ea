import { Controller, Inject } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { UnitOfWork } from '@svc/database';
import { type EventRecord, EVENTS } from '@svc/messaging';
import { type ClaimedWebhookDelivery, DeliveryIntake, IntegrationIntake } from '@svc/deliveries/store';
import { DeliveryLoop } from '../delivery/delivery-loop';
import { IntegrationSender } from '../integrations/integration-sender';
import { addressedEvents } from './recipients';

const EVENTS_MAX = 200;

/**
 * Makes deliveries of events, of a batch in one transaction. Events are acknowledged once their deliveries are stored;
 * before that they may be redelivered.
 */
@Controller()
export class EventIntake {
  constructor(
    @Inject(UnitOfWork) private readonly unitOfWork: UnitOfWork,
    @Inject(DeliveryIntake) private readonly intake: DeliveryIntake,
    @Inject(DeliveryLoop) private readonly loop: Pick<DeliveryLoop<ClaimedWebhookDelivery>, 'wake'>,
    @Inject(IntegrationIntake) private readonly integrations: IntegrationIntake,
    @Inject(IntegrationSender) private readonly sender: Pick<IntegrationSender, 'wake'>,
  ) {}

  @EventPattern(EVENTS, { group: 'dispatcher', eventsMax: EVENTS_MAX })
  async take(@Payload() events: readonly EventRecord[]): Promise<void> {
    const organizationIds = new Set(events.map(({ organizationId }) => organizationId));
    const queued = await this.unitOfWork.transaction(async (tx) => {
      const endpoints = await this.intake.endpointsOf(tx, [...organizationIds]);
      return {
        webhooks: await this.intake.recordDeliveries(tx, addressedEvents(events, endpoints)),
        messages: await this.integrations.recordDeliveries(tx, events),
      };
    });
    if (queued.webhooks > 0) this.loop.wake();
    if (queued.messages > 0) this.sender.wake();
  }
}
