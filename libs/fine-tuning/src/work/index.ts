export { EndpointRuns, type LeasedRun } from './endpoint-runs';
export { FineTuningJobWork, type JobLease, type SaidOfJob } from './job-work';
export { TrainingFileUpkeep } from './training-file-upkeep';
export { TunedModelWork } from './tuned-model-work';
