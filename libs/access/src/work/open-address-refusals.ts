import { type Database } from '@svc/database';
import { systemClock, systemIds } from '@svc/runtime';
import { type Logger, type Registry } from '@svc/runtime/observability';
import { RefusalStore } from '@svc/usage/store';
import { RefusalRecorder } from '@svc/usage/work';
import { AddressRefusalStore } from '../store/keys/address-refusal-store';
import { AddressRefusals } from './address-refusals';

interface OpenAddressRefusalsOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
}

/** The trail of refused addresses of a service that counts no other refusals: their calls name no model. */
export function openAddressRefusals({ database, logger, metrics }: OpenAddressRefusalsOptions) {
  const clock = systemClock;
  const refusals = new RefusalRecorder({
    store: new RefusalStore(database),
    isKnownModel: () => false,
    clock,
    logger,
    metrics,
  });
  const store = new AddressRefusalStore(database, systemIds);
  const addressRefusals = new AddressRefusals({ store, refusals, clock, logger, metrics });
  return {
    note: addressRefusals.note,
    stop: async (): Promise<void> => {
      await Promise.all([addressRefusals.stop(), refusals.stop()]);
    },
  };
}
