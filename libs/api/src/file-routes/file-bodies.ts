import { z } from 'zod';
import { id } from '../fields';

const seconds = z.int().meta({ description: 'Seconds since 1970.', example: 1_796_032_000 });

/** A file in the form of OpenAI’s API. */
export const trainingFile = z
  .object({
    id: id('file'),
    object: z.literal('file'),
    bytes: z.int().min(0).meta({ example: 48_211 }),
    created_at: seconds,
    expires_at: seconds.meta({ description: 'When the file is deleted, in seconds since 1970.' }),
    filename: z.string().meta({ example: 'train.jsonl' }),
    purpose: z.literal('fine-tune'),
    status: z.literal('processed').meta({ description: 'A file is checked while it is uploaded.' }),
  })
  .meta({ id: 'File', description: 'A file of examples to train a model with.' });

export const fileList = z
  .object({
    object: z.literal('list'),
    data: z.array(trainingFile),
    first_id: z.string().nullable().meta({ example: 'file_06dpm2q4x8k3c0v9r7t5w1hzny' }),
    last_id: z.string().nullable().meta({ example: 'file_06dpm2q4x8k3c0v9r7t5w1hzny' }),
    has_more: z.boolean().meta({ example: false }),
  })
  .meta({ id: 'FileList' });

export const deletedFile = z
  .object({ id: id('file'), object: z.literal('file'), deleted: z.literal(true) })
  .meta({ id: 'DeletedFile' });

const FILE_LIST_MAX = 10_000;

/** The query of the list. */
export const fileListQuery = z.strictObject({
  after: id('file').optional().meta({ description: '`last_id` of the previous page.' }),
  limit: z.coerce.number().int().min(1).max(FILE_LIST_MAX).default(FILE_LIST_MAX).meta({ example: 100 }),
  order: z.enum(['asc', 'desc']).default('desc').meta({ description: 'By the time of the upload.' }),
  purpose: z.string().optional().meta({ description: 'Only files of this purpose.', example: 'fine-tune' }),
});

const KEPT_SECONDS_MIN = 3_600;
const KEPT_SECONDS_MAX = 30 * 86_400;

/** The fields of an upload beside the file, as forms name them. */
export const fileFields = z.strictObject({
  purpose: z.literal('fine-tune').meta({ description: 'What the file is for.' }),
  'expires_after[anchor]': z.literal('created_at').optional(),
  'expires_after[seconds]': z.coerce
    .number()
    .int()
    .min(KEPT_SECONDS_MIN)
    .max(KEPT_SECONDS_MAX)
    .optional()
    .meta({
      description:
        'Deletes the file so long after its upload. Else it is deleted 30 days after its last use.',
      example: 2_592_000,
    }),
});

export const newFile = z
  .object({
    ...fileFields.shape,
    file: z.string().meta({
      format: 'binary',
      description: 'JSON lines: an example a line, as the guide of fine-tuning says.',
      example: '@train.jsonl',
    }),
  })
  .meta({ id: 'NewFile' });
