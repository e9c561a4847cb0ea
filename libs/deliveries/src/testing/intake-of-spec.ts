import { type Database, UnitOfWork } from '@svc/database';
import {
  type DeliverableEvent,
  DeliveryIntake,
  type SubscribedEndpoint,
} from '../store/webhooks/delivery-intake';

/** Takes one event at a time, each in a transaction of its own. */
export class IntakeOfSpec {
  private readonly intake = new DeliveryIntake();
  private readonly unitOfWork: UnitOfWork;

  constructor(database: Database) {
    this.unitOfWork = new UnitOfWork(database);
  }

  endpointsOf(organizationId: string): Promise<readonly SubscribedEndpoint[]> {
    return this.unitOfWork.transaction((tx) => this.intake.endpointsOf(tx, [organizationId]));
  }

  /** @returns how many deliveries were created. */
  record(event: DeliverableEvent, endpointIds: readonly string[]): Promise<number> {
    return this.unitOfWork.transaction((tx) => this.intake.recordDeliveries(tx, [{ event, endpointIds }]));
  }
}
