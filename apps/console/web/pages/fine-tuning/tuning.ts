import { type components } from '../../api/generated/management';

export type Job = components['schemas']['FineTuningJob'];
export type NewJob = Omit<components['schemas']['NewFineTuningJob'], 'integrations'>;
export type JobEvent = components['schemas']['FineTuningJobEvent'];
export type Loss = components['schemas']['FineTuningJobLoss'];
export type TunedModel = components['schemas']['FineTunedModel'];
export type TrainingFile = components['schemas']['TrainingFile'];

/** Whether something is still to come of it. */
export const isOpen = ({ state }: Pick<Job, 'state'>): boolean =>
  state === 'validating_files' || state === 'queued' || state === 'running';

/** How often jobs are read again while one is open. */
export const PROGRESS_MS = 5_000;
