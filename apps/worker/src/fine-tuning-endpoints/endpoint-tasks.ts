import { type EndpointDriver, ProviderUnreachable } from '@svc/fine-tuning';
import { EndpointProtocolDriver, type ProviderAccess } from '@svc/fine-tuning/providers';
import { type Catalog } from '@svc/catalog';
import { type Database } from '@svc/database';
import { type OrganizationPrices } from '@svc/ledger';
import { FineTuningEndpointFigures } from '@svc/fine-tuning/store';
import { EndpointRuns, type LeasedRun } from '@svc/fine-tuning/work';
import { type Logger, type Registry } from '@svc/runtime/observability';
import { EndpointMetrics } from './endpoint-metrics';
import { type EndpointTending, tendEndpoint } from './tend-endpoint';

/** How the provider of a run is reached. */
type AccessSource = (run: LeasedRun) => Promise<ProviderAccess>;

interface EndpointRuntime {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly catalog: () => Catalog;
  /** `SVC_FINE_TUNING_POLL_SECONDS` */
  readonly pollSeconds: number;
  /** What slices cost by default: `SVC_PRICE_BPS` and `SVC_OWN_CREDENTIAL_BPS`. */
  readonly prices?: OrganizationPrices;
  readonly accessOf: AccessSource;
  readonly onPollFailure: () => void;
}

/** Short beside a slice: a stop that is late is paid by the platform. */
const LOOK_EVERY_MS = 500;
/** Runs that a worker tends at a time: a provider may take ten seconds to answer nothing. */
const RUNS_MAX = 4;

/** The periodic tasks of endpoints. */
export function endpointTasks(runtime: EndpointRuntime) {
  const { database, logger, metrics: registry, catalog, pollSeconds, accessOf, onPollFailure } = runtime;
  const metrics = new EndpointMetrics(registry, new FineTuningEndpointFigures(database), logger);
  const runs = new EndpointRuns(database, { prices: runtime.prices });
  const tending: EndpointTending = {
    runs,
    offerOf: async (run) => ({
      driver: await driverOf(run, accessOf),
      isOffered: isOffered(catalog(), run),
    }),
    pollMs: pollSeconds * 1_000,
    logger,
    onUnmetered: (seconds) => {
      metrics.countUnmetered(seconds);
    },
    onPollFailure,
  };
  const isDue = () => runs.isDue();
  const run = () => tendEndpoint(tending);
  return [{ name: 'fine-tuning-endpoints', everyMs: LOOK_EVERY_MS, runsMax: RUNS_MAX, isDue, run }];
}

async function driverOf(run: LeasedRun, accessOf: AccessSource): Promise<EndpointDriver | null> {
  try {
    return new EndpointProtocolDriver(await accessOf(run));
  } catch (error) {
    if (error instanceof ProviderUnreachable) return null;
    throw error;
  }
}

/** Whether the operator still offers what a run runs on. */
const isOffered = ({ fineTuning }: Catalog, run: LeasedRun): boolean =>
  fineTuning.some(
    ({ provider, region, hardware }) =>
      provider.name === run.provider &&
      region === run.region &&
      hardware.some(({ id }) => id === run.hardware),
  );
