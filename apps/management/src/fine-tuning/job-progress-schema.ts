import { z } from 'zod';
import { presenter, timestamp, type fineTuningCheckpoint, type fineTuningEvent } from '@svc/api';
import {
  type CheckpointRecord,
  type FineTuningJobRecord,
  type JobEventRecord,
  type LossRecord,
} from '@svc/fine-tuning/store';
import { secondsOf } from './job-schema';

const metrics = z.record(z.string(), z.number());

export const managedJobEvent = z
  .object({
    id: z.string().meta({ example: 'ftevent_06dpm2q4x8k3c0v9r7t5w1hzny_1' }),
    level: z.enum(['info', 'warn', 'error']).meta({ example: 'info' }),
    message: z.string().meta({ example: 'Step 10: training loss 0.42' }),
    metrics: metrics.nullable().meta({
      description: 'Numbers of a step, by name; null for any other event.',
      example: { step: 10, train_loss: 0.42 },
    }),
    created_at: timestamp(),
  })
  .meta({ id: 'FineTuningJobEvent', description: 'Something that a job said.' });

export const managedCheckpoint = z
  .object({
    id: z.string().meta({ example: 'ftckpt_06dpm2q4x8k3c0v9r7t5w1hzny_1' }),
    step: z.int().meta({ description: 'The step after which it was kept.', example: 100 }),
    metrics: metrics.meta({ description: 'Numbers by name.', example: { step: 100, train_loss: 0.42 } }),
    created_at: timestamp(),
  })
  .meta({
    id: 'FineTuningJobCheckpoint',
    description: 'The model after a step, as the provider kept it. Calls cannot use it.',
  });

const loss = () => z.number().nullable();
export const managedLoss = z
  .object({
    step: z.int().meta({ example: 10 }),
    train_loss: loss().meta({
      description: 'On the training file; null where the provider does not say.',
      example: 0.42,
    }),
    valid_loss: loss().meta({
      description: 'On the validation file; null where there is none, or the provider does not say.',
      example: 0.47,
    }),
  })
  .meta({ id: 'FineTuningJobLoss', description: 'How far a model was from its examples after a step.' });

/** The greatest that is stored. */
const NUMBER_MAX = 2 ** 31 - 1;

/** The prefix of the id of an event or a checkpoint of a job. */
export type NumberedPrefix = 'ftevent' | 'ftckpt';

/** The id of the nth thing of a job: it says which job and which one. */
const numberedId = (prefix: NumberedPrefix, jobId: string, number: number): string =>
  `${prefix}_${jobId.slice(jobId.indexOf('_') + 1)}_${String(number)}`;

/** The number in an id that one of this job’s things has; null for any other text. */
export function numberIn(id: string, prefix: NumberedPrefix, jobId: string): number | null {
  const number = Number(id.slice(id.lastIndexOf('_') + 1));
  const isNumber = Number.isInteger(number) && number > 0 && number <= NUMBER_MAX;
  return isNumber && numberedId(prefix, jobId, number) === id ? number : null;
}

const eventId = ({ jobId, number }: JobEventRecord) => numberedId('ftevent', jobId, number);
const checkpointId = ({ jobId, number }: CheckpointRecord) => numberedId('ftckpt', jobId, number);

export const presentManagedEvent = presenter<typeof managedJobEvent, JobEventRecord>(managedJobEvent, {
  id: eventId,
});

export const presentManagedCheckpoint = presenter<typeof managedCheckpoint, CheckpointRecord>(
  managedCheckpoint,
  { id: checkpointId, step: ({ stepNumber }) => stepNumber },
);

export const presentManagedLoss = presenter<typeof managedLoss, LossRecord>(managedLoss, {});

/** In the form of OpenAI’s API. */
export const presentJobEvent = (event: JobEventRecord): z.input<typeof fineTuningEvent> => ({
  id: eventId(event),
  object: 'fine_tuning.job.event',
  created_at: secondsOf(event.createdAt),
  level: event.level,
  message: event.message,
  type: event.type,
  data: event.metrics,
});

/** In the form of OpenAI’s API. */
export const presentCheckpoint = (
  checkpoint: CheckpointRecord,
  { modelName }: FineTuningJobRecord,
): z.input<typeof fineTuningCheckpoint> => ({
  id: checkpointId(checkpoint),
  object: 'fine_tuning.job.checkpoint',
  created_at: secondsOf(checkpoint.createdAt),
  fine_tuned_model_checkpoint: `${modelName}:ckpt-step-${String(checkpoint.stepNumber)}`,
  fine_tuning_job_id: checkpoint.jobId,
  metrics: checkpoint.metrics,
  step_number: checkpoint.stepNumber,
});
