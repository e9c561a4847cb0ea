export { requireDeletable, requireStartable, requireStoppable } from './endpoints/endpoint-changes';
export {
  endpointStates,
  isUp,
  PROVIDER_IDLE_MINUTES_MORE,
  RUNNING_ENDPOINTS_MAX,
  SLICE_SECONDS_DEFAULT,
  stopReasons,
  type EndpointState,
  type StopReason,
} from './endpoints/endpoint-state';
export { judgeService, judgeStart, judgeStop, type Said } from './endpoints/judge-run';
export {
  endOf,
  firstSlice,
  holdSecondAfter,
  nextSlice,
  priceOfSeconds,
  runSecondsMax,
  secondsBetween,
  unmeteredSeconds,
  usedSeconds,
  type Slice,
} from './endpoints/metering';
export { idleAt, stopReasonOf, stopsAt, type StopFacts } from './endpoints/stop-rules';
export {
  FILE_COUNT_MAX,
  FILE_KEPT_DAYS,
  FILE_MAX_BYTES_DEFAULT,
  FILES_BYTES_MAX,
  UPLOADS_AT_ONCE_MAX,
} from './files/file-limits';
export { TrainingFileCheck } from './lines/training-file-check';
export type { EndpointDriver, NewProviderEndpoint, ProviderEndpoint } from './provider/endpoint-driver';
export type {
  FineTuningProvider,
  Hyperparameters,
  NewProviderJob,
  ProviderCheckpoint,
  ProviderJob,
  ProviderJobEvent,
  ProviderUpload,
} from './provider/fine-tuning-provider';
export { ProviderRefusal, ProviderUnreachable } from './provider/provider-failure';
export { copyNameOf, retold, type FilePurpose } from './jobs/job-copies';
export { heldTokens, priceOfTokens } from './jobs/job-money';
export { epochsOf, hyperparametersOf } from './jobs/job-order';
export { isOpenJob, jobStates, OPEN_JOBS_MAX, type JobFailureCode, type JobState } from './jobs/job-state';
export { failureMessage, judgeJob, type JobVerdict } from './jobs/judge-job';
export { creatorOf, isTunedModelName, modelNameOf } from './jobs/model-name';
export { isGivenUp, retryDelayMs } from './jobs/retry-times';
