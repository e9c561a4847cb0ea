export { requireDeletable, requireStartable, requireStoppable } from './rules/endpoints/endpoint-changes';
export {
  PROVIDER_IDLE_MINUTES_MORE,
  RUNNING_ENDPOINTS_MAX,
  SLICE_SECONDS_DEFAULT,
  endpointStates,
  stopReasons,
} from './rules/endpoints/endpoint-state';
export { type ProviderReport as Said } from './rules/endpoints/judge-run';
export { endOf, firstSlice, priceOfSeconds, runSecondsMax, secondsBetween } from './rules/endpoints/metering';
export { stopsAt } from './rules/endpoints/stop-rules';
export {
  FILES_BYTES_MAX,
  FILE_COUNT_MAX,
  FILE_MAX_BYTES_DEFAULT,
  UPLOADS_AT_ONCE_MAX,
} from './rules/files/file-limits';
export { copyNameOf, type FilePurpose } from './rules/jobs/job-copies';
export { heldTokens, priceOfTokens } from './rules/jobs/job-money';
export { paidParts } from './rules/prices/paid-parts';
export { epochsOf, hyperparametersOf } from './rules/jobs/job-order';
export { isOpenJob, jobStates, type JobState } from './rules/jobs/job-state';
export { judgeJob } from './rules/jobs/judge-job';
export { creatorOf, isTunedModelName, modelNameOf } from './rules/jobs/model-name';
export { TrainingFileCheck } from './rules/lines/training-file-check';
export {
  type EndpointDriver,
  type NewProviderEndpoint,
  type ProviderEndpoint,
} from './rules/provider/endpoint-driver';
export {
  type FineTuningProvider,
  type Hyperparameters,
  type NewProviderJob,
  type ProviderCheckpoint,
  type ProviderJob,
  type ProviderJobEvent,
  type ProviderUpload,
} from './rules/provider/fine-tuning-provider';
export { ProviderRefusal, ProviderUnreachable } from './rules/provider/provider-failure';
