import { type Catalog } from '@svc/catalog';
import { type Database } from '@svc/database';
import { type EndpointDriver, ProviderUnreachable } from '@svc/fine-tuning';
import { EndpointProtocolDriver } from '@svc/fine-tuning/providers';
import { FineTuningEndpointFigures, FineTuningFigures, TrainingFileStore } from '@svc/fine-tuning/store';
import {
  accessSource,
  type AccessSource,
  boundedProvider,
  deleteModels,
  EndpointRuns,
  FineTuningJobWork,
  type LeasedRun,
  type OpenProvider,
  providerSource,
  type ReadFile,
  tendEndpoint,
  TrainingFileUpkeep,
  TunedModelWork,
  workOnJob,
} from '@svc/fine-tuning/work';
import { type OrganizationPrices } from '@svc/ledger';
import { ProviderCredentialStore } from '@svc/policy/store';
import { createSealer, type MasterKey, type Sealer } from '@svc/runtime';
import { type Logger, type Registry } from '@svc/runtime/observability';
import { SealedObject, type ObjectStore } from '@svc/storage';
import { measureEndpoints, measureJobs } from './fine-tuning.metrics';

export interface FineTuningSettings {
  /** `SVC_FINE_TUNING_POLL_SECONDS` */
  readonly pollSeconds: number;
  /** The default prices of machines: `SVC_PRICE_BPS` and `SVC_OWN_CREDENTIAL_BPS`. */
  readonly prices?: OrganizationPrices;
  readonly open: OpenProvider;
}

interface FineTuningRuntime {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Registry;
  readonly masterKey: MasterKey;
  readonly store: ObjectStore;
  readonly catalog: () => Catalog;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly fineTuning: FineTuningSettings;
}

const LOOK_EVERY_MS = 1_000;
const DELETE_EVERY_MS = 2_000;
/** Jobs that a worker asks after at a time: an upload may take minutes. */
const JOBS_AT_ONCE = 4;
/** Short beside a slice: a stop that is late is paid by the platform. */
const LOOK_AT_ENDPOINTS_EVERY_MS = 500;
/** Runs that a worker tends at a time: a provider may take ten seconds to answer nothing. */
const RUNS_MAX = 4;
const LOOK_AT_FILES_EVERY_MS = 5_000;

/** The periodic tasks of fine-tuning: of jobs, tuned models and their endpoints, and of training files. */
export function fineTuningTasks(runtime: FineTuningRuntime, stopping: AbortSignal) {
  const { database, logger, metrics, masterKey, store, fineTuning } = runtime;
  const sealer = createSealer(masterKey);
  const pollFailures = measureJobs(new FineTuningFigures(database), metrics, logger);
  const onPollFailure = () => {
    pollFailures.inc();
  };
  const credentials = new ProviderCredentialStore(database);
  const accessOf = accessSource({ ...runtime, credentials, sealer });
  const open: OpenProvider = async (access) => boundedProvider(await fineTuning.open(access));
  const common = { providerOf: providerSource(accessOf, open), logger, onPollFailure };
  const working = {
    ...{ ...common, stopping },
    readFile: readerOf(new TrainingFileStore(database), store, sealer),
    work: new FineTuningJobWork(database),
    pollMs: fineTuning.pollSeconds * 1_000,
  };
  const deleting = { ...common, models: new TunedModelWork(database) };
  const keeping = { upkeep: new TrainingFileUpkeep(database), store };
  return [
    {
      name: 'fine-tuning-jobs',
      everyMs: LOOK_EVERY_MS,
      runsMax: JOBS_AT_ONCE,
      isDue: () => working.work.isDue(),
      run: () => workOnJob(working),
    },
    {
      name: 'fine-tuned-models',
      everyMs: DELETE_EVERY_MS,
      isDue: () => deleting.models.isDue(),
      run: () => deleteModels(deleting),
    },
    endpointTask(runtime, accessOf, onPollFailure),
    {
      name: 'training-file-upkeep',
      everyMs: LOOK_AT_FILES_EVERY_MS,
      run: () => keepUpTrainingFiles(keeping),
    },
  ];
}

/** Reads training files that open jobs use, as they are stored. */
const readerOf =
  (files: TrainingFileStore, store: ObjectStore, sealer: Sealer): ReadFile =>
  async (organizationId, fileId) => {
    const found = await files.findContent(organizationId, fileId, null, sealer);
    if (found === null) throw new Error('A file that an open job uses is gone.');
    const { bytes, fileKey, objectKey, parts } = found;
    const sealed = new SealedObject(fileKey, objectKey);
    return { bytes, content: () => sealed.read(store, parts, { start: 0, end: bytes }) };
  };

function endpointTask(runtime: FineTuningRuntime, accessOf: AccessSource, onPollFailure: () => void) {
  const { database, logger, metrics, catalog, fineTuning } = runtime;
  const unmetered = measureEndpoints(new FineTuningEndpointFigures(database), metrics, logger);
  const runs = new EndpointRuns(database, { prices: fineTuning.prices });
  const advancing = {
    runs,
    offerOf: async (run: LeasedRun) => ({
      driver: await driverOf(run, accessOf),
      isOffered: isOffered(catalog(), run),
    }),
    pollMs: fineTuning.pollSeconds * 1_000,
    logger,
    onUnmetered: (seconds: number) => {
      unmetered.inc(seconds);
    },
    onPollFailure,
  };
  return {
    name: 'fine-tuning-endpoints',
    everyMs: LOOK_AT_ENDPOINTS_EVERY_MS,
    runsMax: RUNS_MAX,
    isDue: () => runs.isDue(),
    run: () => tendEndpoint(advancing),
  };
}

async function driverOf(run: LeasedRun, accessOf: AccessSource): Promise<EndpointDriver | null> {
  try {
    return new EndpointProtocolDriver(await accessOf(run));
  } catch (error) {
    if (error instanceof ProviderUnreachable) return null;
    throw error;
  }
}

/** True where the operator still offers what a run runs on. */
const isOffered = ({ fineTuning }: Catalog, run: LeasedRun): boolean =>
  fineTuning.some(
    ({ provider, region, hardware }) =>
      provider.name === run.provider &&
      region === run.region &&
      hardware.some(({ id }) => id === run.hardware),
  );

interface FileKeepers {
  readonly upkeep: Pick<TrainingFileUpkeep, 'expire' | 'leftovers' | 'forget'>;
  readonly store: Pick<ObjectStore, 'delete'>;
}

/** Deletes training files that expired or were deleted, and what killed uploads left (docs/reference/fine-tuning.md#training-files). */
export async function keepUpTrainingFiles({
  upkeep,
  store,
}: FileKeepers): Promise<{ readonly more: boolean }> {
  await upkeep.expire();
  for (const { fileId, objectKey } of await upkeep.leftovers()) {
    await store.delete(objectKey);
    await upkeep.forget(fileId);
  }
  return { more: false };
}
