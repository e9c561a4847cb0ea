/** As OpenAI's API names them. */
export const jobStates = [
  'validating_files',
  'queued',
  'running',
  'succeeded',
  'failed',
  'cancelled',
] as const;
export type JobState = (typeof jobStates)[number];

/** True where a provider may still be working on it: its money is held, and its files stay. */
export const isOpenJob = (state: JobState): boolean =>
  state === 'validating_files' || state === 'queued' || state === 'running';

/** Of an organization, unless the operator allows it more. */
export const OPEN_JOBS_MAX = 3;

/** Why a job failed. */
export type JobFailureCode = 'training_file_rejected' | 'provider_error' | 'provider_unreachable';
