import { Controller, Inject } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { type EventRecord, EVENTS } from '@svc/messaging';
import { type ClaimedWebhookDelivery, DeliveryIntake, IntegrationIntake } from '@svc/deliveries/store';
import { DeliveryLoop } from '../delivery/delivery-loop';
import { IntegrationSender } from '../integrations/integration-sender';
import { recipientsOf } from './recipients';

/** Makes deliveries of events. An event is acknowledged once its deliveries are stored; before that it may be redelivered. */
@Controller()
export class EventIntake {
  constructor(
    @Inject(DeliveryIntake) private readonly intake: DeliveryIntake,
    @Inject(DeliveryLoop) private readonly loop: Pick<DeliveryLoop<ClaimedWebhookDelivery>, 'wake'>,
    @Inject(IntegrationIntake) private readonly integrations: IntegrationIntake,
    @Inject(IntegrationSender) private readonly sender: Pick<IntegrationSender, 'wake'>,
  ) {}

  @EventPattern(EVENTS, { group: 'dispatcher' })
  async take(@Payload() event: EventRecord): Promise<void> {
    const recipients = recipientsOf(event, await this.intake.endpointsOf(event.organizationId));
    if ((await this.intake.record(event, recipients)) > 0) this.loop.wake();
    if ((await this.integrations.record(event)) > 0) this.sender.wake();
  }
}
