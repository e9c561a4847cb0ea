import { type DeliverySchedule, type LeasedDelivery } from '@svc/persistence';
import { type DeliveryAttempts } from './delivery-attempts';

const BATCH = 100;

/**
 * Settles the attempts of processes that died. Attempts in flight in this process are left out: they wait for the database,
 * and then settle with their real outcome.
 */
export async function failLostAttempts(
  schedule: Pick<DeliverySchedule, 'findLost'>,
  attempts: Pick<DeliveryAttempts, 'failLost'>,
  isInFlight: (delivery: LeasedDelivery) => boolean,
): Promise<{ readonly more: boolean }> {
  const lost = (await schedule.findLost(BATCH)).filter((delivery) => !isInFlight(delivery));
  await Promise.all(lost.map((delivery) => attempts.failLost(delivery)));
  return { more: lost.length === BATCH };
}
