import { z } from 'zod';
import { id, nanosAmount, presenter, presentTimeOrNull, timestamp, type fineTuningJob } from '@svc/api';
import { jobStates, type Hyperparameters } from '@svc/fine-tuning';
import { nanosPerToken, type PricePerToken } from '@svc/catalog';
import { nanosToJson } from '@svc/kernel';
import { type FineTuningJobRecord } from '@svc/fine-tuning/store';

const choice = <T extends z.ZodType>(number: T) => z.union([number, z.literal('auto')]);

export const managedJob = z
  .object({
    id: id('fineTuningJob'),
    organization_id: id('organization'),
    project_id: id('project').nullable().meta({
      description: 'The project whose key made it; null for the whole organization.',
      example: null,
    }),
    model: z.string().meta({ description: 'The base model.', example: 'acme/small' }),
    provider: z.string().meta({ example: 'acme' }),
    region: z.string().meta({ example: 'eu-west' }),
    training_file: id('file'),
    validation_file: id('file').nullable().meta({ example: null }),
    suffix: z.string().nullable().meta({ example: 'support' }),
    seed: z.int().meta({ example: 42 }),
    metadata: z
      .record(z.string(), z.string())
      .nullable()
      .meta({ example: { purpose: 'support' } }),
    hyperparameters: z.object({
      n_epochs: z.int().meta({ description: 'How often the file is trained with.', example: 3 }),
      batch_size: choice(z.int()).meta({ example: 'auto' }),
      learning_rate_multiplier: choice(z.number()).meta({ example: 'auto' }),
    }),
    state: z.enum(jobStates).meta({ example: 'running' }),
    fine_tuned_model: z.string().nullable().meta({
      description: 'The model that calls can name; null until the job has succeeded.',
      example: 'ft-qwertyui/small-support-asdfgh',
    }),
    trained_tokens: z.int().min(0).nullable().meta({
      description: 'Null until it is known, and for a job that failed.',
      example: 92_700,
    }),
    price_per_trained_token: z.number().meta({
      description: 'Nano-dollars that the wallet pays. As it was when the job was made.',
      example: 3_000,
    }),
    held_nanos: nanosAmount().nonnegative().meta({
      description: 'What the job costs at most. It is held in the wallet until the job ends.',
      example: 305_910_000,
    }),
    charged_nanos: nanosAmount().nonnegative().meta({
      description: 'What it cost: 0 until it has ended.',
      example: 278_100_000,
    }),
    failure_code: z
      .enum(['training_file_rejected', 'provider_error', 'provider_unreachable'])
      .nullable()
      .meta({ description: 'Why it failed; null where it did not.', example: null }),
    failure_message: z.string().nullable().meta({ example: null }),
    cancelled_by: z.string().nullable().meta({
      description: 'The id of the user or key that asked to cancel it; null where nobody did.',
      example: null,
    }),
    created_by: z.string().meta({
      description: 'The id of the user or key that made it.',
      example: 'key_06dpm2q4x8k3c0v9r7t5w1hzny',
    }),
    created_at: timestamp(),
    estimated_finish_at: timestamp()
      .nullable()
      .meta({ description: 'As the provider says; null where it does not.' }),
    completed_at: timestamp().nullable().meta({ description: 'When it ended, however it did.' }),
  })
  .meta({ id: 'FineTuningJob', description: 'Training of a model with examples.' });

export const managedJobFilters = {
  state: z.enum(jobStates).optional().meta({ description: 'Only jobs in this state.' }),
};

export const newJobHeaders = {
  'Idempotency-Key': z.string().min(1).max(255).optional().meta({
    description: 'A retry with the same key and body within 24 hours answers with the same job.',
    example: 'support-2026-11',
  }),
};

const chosen = ({ batchSize, learningRateMultiplier }: Hyperparameters, epochs: number) => ({
  n_epochs: epochs,
  batch_size: batchSize,
  learning_rate_multiplier: learningRateMultiplier,
});

const countOf = (tokens: bigint | null): number | null => (tokens === null ? null : Number(tokens));
const resultOf = ({ state, modelName }: FineTuningJobRecord) => (state === 'succeeded' ? modelName : null);

export const presentManagedJob = presenter<typeof managedJob, FineTuningJobRecord>(managedJob, {
  training_file: ({ trainingFileId }) => trainingFileId,
  validation_file: ({ validationFileId }) => validationFileId,
  hyperparameters: ({ hyperparameters, epochs }) => chosen(hyperparameters, epochs),
  fine_tuned_model: resultOf,
  trained_tokens: ({ trainedTokens }) => countOf(trainedTokens),
  price_per_trained_token: ({ pricePerToken, priceBps }) =>
    nanosPerToken(pricePerToken as PricePerToken, priceBps),
  held_nanos: ({ held }) => nanosToJson(held),
  charged_nanos: ({ charged }) => nanosToJson(charged),
  failure_code: ({ failure }) => failure?.code ?? null,
  failure_message: ({ failure }) => failure?.message ?? null,
  created_by: ({ creatorId }) => creatorId,
  completed_at: ({ endedAt }) => presentTimeOrNull(endedAt),
});

/** As OpenAI’s API says times. */
export const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1_000);
const secondsOrNull = (time: Date | null): number | null => time && secondsOf(time);

/** In the form of OpenAI’s API. */
export function presentJob(job: FineTuningJobRecord): z.input<typeof fineTuningJob> {
  const hyperparameters = chosen(job.hyperparameters, job.epochs);
  return {
    id: job.id,
    object: 'fine_tuning.job',
    created_at: secondsOf(job.createdAt),
    error: job.failure && {
      ...job.failure,
      param: job.failure.code === 'training_file_rejected' ? 'training_file' : null,
    },
    fine_tuned_model: resultOf(job),
    finished_at: secondsOrNull(job.endedAt),
    estimated_finish: secondsOrNull(job.estimatedFinishAt),
    hyperparameters,
    integrations: [],
    metadata: job.metadata,
    method: { type: 'supervised', supervised: { hyperparameters } },
    model: job.model,
    organization_id: job.organizationId,
    result_files: [],
    seed: job.seed,
    status: job.state,
    trained_tokens: countOf(job.trainedTokens),
    training_file: job.trainingFileId,
    validation_file: job.validationFileId,
  };
}
