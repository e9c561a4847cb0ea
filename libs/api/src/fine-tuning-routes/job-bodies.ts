import { z } from 'zod';
import { id } from '../fields';
import { unlisted, unlistedAreUnsupported } from '../unlisted-fields';

const seconds = z.int().meta({ description: 'Seconds since 1970.', example: 1_796_032_000 });

const METADATA_MAX = 16;
const METADATA_KEY_MAX = 64;
const METADATA_VALUE_MAX = 512;
const EPOCHS_MAX = 50;
const BATCH_SIZE_MAX = 256;
const SEED_MAX = 2_147_483_647;
const ID_LENGTH_MAX = 200;
const METADATA = { purpose: 'support' };

const jobStates = ['validating_files', 'queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;

const auto = z.literal('auto');
const hyperparameters = z.strictObject({
  n_epochs: z
    .union([z.int().min(1).max(EPOCHS_MAX), auto])
    .optional()
    .meta({
      description: 'How often the file is trained with. `auto`: as the catalog says.',
      example: 3,
    }),
  batch_size: z
    .union([z.int().min(1).max(BATCH_SIZE_MAX), auto])
    .optional()
    .meta({ example: 'auto' }),
  learning_rate_multiplier: z.union([z.number().positive(), auto]).optional().meta({ example: 'auto' }),
});

const method = z.strictObject({
  type: z
    .enum(['supervised', 'dpo', 'reinforcement'])
    .refine((type) => type === 'supervised', unlisted('must be supervised'))
    .meta({ description: '`supervised`.', example: 'supervised' }),
  supervised: z.strictObject({ hyperparameters: hyperparameters.optional() }).optional(),
});

const metadata = z
  .record(z.string().min(1).max(METADATA_KEY_MAX), z.string().max(METADATA_VALUE_MAX))
  .refine(
    (pairs) => Object.keys(pairs).length <= METADATA_MAX,
    `must be at most ${String(METADATA_MAX)} pairs`,
  )
  .meta({ description: 'Texts by names, as you like. Providers are not sent them.', example: METADATA });

/** SDKs send null where their caller names none. */
const noIntegrations = z
  .custom<null>((given) => given === null, unlisted('is not supported'))
  .meta({ description: 'There are none: null, or left out.', example: null, override: { type: 'null' } });

/** The document shows the form. One of another form, such as a provider's, is as unknown as any. */
const fileName = () => {
  const { pattern } = z.toJSONSchema(id('file')) as { readonly pattern?: string };
  return z.string().min(1).max(ID_LENGTH_MAX).meta({ pattern });
};

/** A job as it is asked for, in the form of OpenAI’s API. */
export const newFineTuningJob = unlistedAreUnsupported(
  z
    .strictObject({
      model: z.string().min(1).max(ID_LENGTH_MAX).meta({
        description: 'The base model: its id or alias.',
        example: 'acme/small',
      }),
      training_file: fileName().meta({
        description: 'The id of a file.',
        example: 'file_06dpm2q4x8k3c0v9r7t5w1hzny',
      }),
      validation_file: fileName().nullish().meta({ description: 'The id of another file.', example: null }),
      suffix: z
        .string()
        .regex(/^[a-z0-9-]{1,18}$/, 'must be 1 to 18 of a-z, 0-9 and -')
        .nullish()
        .meta({ description: 'Stands in the name of the model.', example: 'support' }),
      seed: z.int().min(0).max(SEED_MAX).nullish().meta({
        description: 'Makes a job repeatable, as far as the provider can. Without one, one is drawn.',
        example: 42,
      }),
      metadata: metadata.nullish(),
      integrations: noIntegrations.optional(),
      method: method.optional().meta({ description: 'How it is trained, and with which hyperparameters.' }),
      hyperparameters: hyperparameters
        .optional()
        .meta({ description: 'As those of `method`, for clients that name none.' }),
    })
    .meta({
      id: 'NewFineTuningJob',
      example: { model: 'acme/small', training_file: 'file_06dpm2q4x8k3c0v9r7t5w1hzny' },
    }),
);

const shownHyperparameters = z.object({
  n_epochs: z.union([z.int(), auto]).meta({ example: 3 }),
  batch_size: z.union([z.int(), auto]).meta({ example: 'auto' }),
  learning_rate_multiplier: z.union([z.number(), auto]).meta({ example: 'auto' }),
});

const JOB = 'ftjob_06dpm2q4x8k3c0v9r7t5w1hzny';

/** A job in the form of OpenAI’s API. */
export const fineTuningJob = z
  .object({
    id: id('fineTuningJob'),
    object: z.literal('fine_tuning.job'),
    created_at: seconds,
    error: z
      .object({
        code: z.string().meta({ example: 'training_file_rejected' }),
        message: z.string().meta({ example: 'The provider refused the training file.' }),
        param: z.string().nullable().meta({ example: 'training_file' }),
      })
      .nullable()
      .meta({ description: 'Why it failed; null where it did not.' }),
    fine_tuned_model: z.string().nullable().meta({
      description: 'Null until it has succeeded.',
      example: 'ft-qwertyui/small-support-asdfgh',
    }),
    finished_at: seconds.nullable(),
    estimated_finish: seconds.nullable(),
    hyperparameters: shownHyperparameters,
    integrations: z.array(z.string()).meta({ description: 'There are none.', example: [] }),
    metadata: metadata.nullable(),
    method: z.object({
      type: z.literal('supervised'),
      supervised: z.object({ hyperparameters: shownHyperparameters }),
    }),
    model: z.string().meta({ example: 'acme/small' }),
    organization_id: id('organization'),
    result_files: z.array(z.string()).meta({ description: 'There are none.', example: [] }),
    seed: z.int().meta({ example: 42 }),
    status: z.enum(jobStates).meta({ example: 'running' }),
    trained_tokens: z.int().nullable().meta({ description: 'Null until it is known.', example: 92_700 }),
    training_file: id('file'),
    validation_file: id('file').nullable().meta({ example: null }),
  })
  .meta({ id: 'OpenAiFineTuningJob', description: 'Training of a model with examples.' });

const listOf = <T extends z.ZodType>(item: T, name: string, lastId: string) =>
  z
    .object({
      object: z.literal('list'),
      data: z.array(item),
      first_id: z.string().nullable().meta({ example: lastId }),
      last_id: z.string().nullable().meta({ example: lastId }),
      has_more: z.boolean().meta({ example: false }),
    })
    .meta({ id: name });

export const fineTuningJobList = listOf(fineTuningJob, 'OpenAiFineTuningJobList', JOB);

const metric = z.record(z.string(), z.number());
export const fineTuningEvent = z
  .object({
    id: z.string().meta({ example: 'ftevent_06dpm2q4x8k3c0v9r7t5w1hzny_1' }),
    object: z.literal('fine_tuning.job.event'),
    created_at: seconds,
    level: z.enum(['info', 'warn', 'error']),
    message: z.string().meta({ example: 'Step 10: training loss 0.42' }),
    type: z.enum(['message', 'metrics']),
    data: metric.nullable().meta({ description: 'Numbers of a step, by name.', example: { step: 10 } }),
  })
  .meta({ id: 'OpenAiFineTuningEvent', description: 'Something that a job said.' });

export const fineTuningEventList = listOf(
  fineTuningEvent,
  'OpenAiFineTuningEventList',
  'ftevent_06dpm2q4x8k3c0v9r7t5w1hzny_1',
);

export const fineTuningCheckpoint = z
  .object({
    id: z.string().meta({ example: 'ftckpt_06dpm2q4x8k3c0v9r7t5w1hzny_1' }),
    object: z.literal('fine_tuning.job.checkpoint'),
    created_at: seconds,
    fine_tuned_model_checkpoint: z.string().meta({
      description: 'Names the checkpoint. Calls cannot use it.',
      example: 'ft-qwertyui/small-support-asdfgh:ckpt-step-100',
    }),
    fine_tuning_job_id: id('fineTuningJob'),
    metrics: metric.meta({ description: 'Numbers by name.', example: { step: 100, train_loss: 0.42 } }),
    step_number: z.int().meta({ example: 100 }),
  })
  .meta({ id: 'OpenAiFineTuningCheckpoint', description: 'The model after a step.' });

export const fineTuningCheckpointList = listOf(
  fineTuningCheckpoint,
  'OpenAiFineTuningCheckpointList',
  'ftckpt_06dpm2q4x8k3c0v9r7t5w1hzny_1',
);

const LIMIT_MAX = 100;
const EVENTS_MAX = 1_000;
const pageOf = (max: number, byDefault: number, of: string) => ({
  after: z
    .string()
    .min(1)
    .max(ID_LENGTH_MAX)
    .optional()
    .meta({ description: `The last ${of} of the page before.` }),
  limit: z.coerce.number().int().min(1).max(max).default(byDefault).meta({ example: byDefault }),
});

export const fineTuningJobQuery = z.strictObject(pageOf(LIMIT_MAX, 20, 'id'));
export const fineTuningEventQuery = z.strictObject(pageOf(EVENTS_MAX, 20, 'id'));
export const fineTuningCheckpointQuery = z.strictObject(pageOf(LIMIT_MAX, 10, 'id'));
