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
