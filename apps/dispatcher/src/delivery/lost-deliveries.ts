import { type DeliverySchedule, type LeasedDelivery } from '@svc/persistence';
import { type DeliveryAttempts } from './delivery-attempts';

const BATCH = 100;

/**
 * Ends the attempts of processes that died. Not those that this process still has in flight: they only wait for the
 * database, and know better how they went.
 */
export async function giveUpLost(
  schedule: Pick<DeliverySchedule, 'findLost'>,
  attempts: Pick<DeliveryAttempts, 'giveUp'>,
  isInFlight: (delivery: LeasedDelivery) => boolean,
): Promise<{ readonly more: boolean }> {
  const lost = (await schedule.findLost(BATCH)).filter((delivery) => !isInFlight(delivery));
  await Promise.all(lost.map((delivery) => attempts.giveUp(delivery)));
  return { more: lost.length === BATCH };
}
