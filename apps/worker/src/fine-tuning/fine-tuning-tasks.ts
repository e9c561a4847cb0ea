import { type Catalog } from '@svc/catalog';
import { type Database } from '@svc/database';
import { FineTuningFigures, TrainingFileStore } from '@svc/fine-tuning/store';
import { FineTuningJobWork, TunedModelWork } from '@svc/fine-tuning/work';
import { ProviderCredentialStore } from '@svc/policy/store';
import { createSealer, type MasterKey } from '@svc/runtime';
import { type Logger, type Registry } from '@svc/runtime/observability';
import { SealedObject, type ObjectStore } from '@svc/storage';
import { boundedProvider } from './bounded-provider';
import { deleteModels } from './delete-models';
import { measureFineTuning } from './fine-tuning-metrics';
import { endpointTasks } from '../fine-tuning-endpoints/endpoint-tasks';
import { accessSource, providerSource, type OpenProvider } from './provider-source';
import { type ReadFile } from './advance-job';
import { type OrganizationPrices } from '@svc/ledger';
import { workOnJob } from './work-on-job';

export interface FineTuningSettings {
  /** `SVC_FINE_TUNING_POLL_SECONDS` */
  readonly pollSeconds: number;
  /** What machines cost by default: `SVC_PRICE_BPS` and `SVC_OWN_CREDENTIAL_BPS`. */
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

/** The periodic tasks of fine-tuning. */
export function fineTuningTasks(runtime: FineTuningRuntime, stopping: AbortSignal) {
  const { database, logger, metrics, masterKey, store, fineTuning } = runtime;
  const sealer = createSealer(masterKey);
  const onPollFailure = measureFineTuning(new FineTuningFigures(database), metrics, logger);
  const credentials = new ProviderCredentialStore(database);
  const open: OpenProvider = async (access) => boundedProvider(await fineTuning.open(access));
  const accessOf = accessSource({ ...runtime, credentials, sealer });
  const providerOf = providerSource(accessOf, open);
  const files = new TrainingFileStore(database);
  const readFile: ReadFile = async (organizationId, fileId) => {
    const found = await files.findContent(organizationId, fileId, null, sealer);
    if (found === null) throw new Error('A file that an open job uses is gone.');
    const { bytes, fileKey, objectKey, parts } = found;
    const sealed = new SealedObject(fileKey, objectKey);
    return { bytes, content: () => sealed.read(store, parts, { start: 0, end: bytes }) };
  };
  const common = { providerOf, logger, onPollFailure };
  const working = {
    ...{ ...common, readFile, stopping },
    work: new FineTuningJobWork(database),
    pollMs: fineTuning.pollSeconds * 1_000,
  };
  const deleting = { ...common, models: new TunedModelWork(database) };
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
    ...endpointTasks({ ...runtime, ...fineTuning, accessOf, onPollFailure }),
  ];
}
