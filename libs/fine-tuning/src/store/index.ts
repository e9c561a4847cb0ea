export { FineTuningEndpointFigures } from './endpoint-figures';
export { type EndpointRecord } from './endpoint-record';
export { EndpointStore, type EndpointTotals, type RunTerms } from './endpoint-store';
export { FineTuningFigures } from './fine-tuning-figures';
export {
  type CheckpointRecord,
  type FineTuningJobRecord,
  type JobEventRecord,
  type LossRecord,
} from './job-record';
export { FineTuningJobStore } from './job-store';
export {
  trainingFileKeyContext,
  trainingFileObjectKey,
  type TrainingFileContent,
  type TrainingFileRecord,
} from './training-file-record';
export { TrainingFileStore } from './training-file-store';
export { TunedModelStore, type TunedModelRecord } from './tuned-model-store';
