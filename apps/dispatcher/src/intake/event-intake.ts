import { type EventRecord } from '@svc/messaging';
import { type DeliveryIntake } from '@svc/persistence';
import { recipientsOf } from './recipients';

/** Makes deliveries of events as they come. An event is taken over when they are stored: it may come again before. */
export class EventIntake {
  constructor(
    private readonly intake: DeliveryIntake,
    private readonly onDue: () => void,
  ) {}

  take = async (event: EventRecord): Promise<void> => {
    const recipients = recipientsOf(event, await this.intake.endpointsOf(event.organizationId));
    if ((await this.intake.record(event, recipients)) > 0) this.onDue();
  };
}
