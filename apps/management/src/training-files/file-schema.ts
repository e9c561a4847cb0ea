import { z } from 'zod';
import { id, presenter, timestamp, type trainingFile } from '@svc/api';
import { type TrainingFileRecord } from '@svc/fine-tuning/store';

export const managedFile = z
  .object({
    id: id('file'),
    organization_id: id('organization'),
    project_id: id('project').nullable().meta({
      description: 'The project whose key uploaded it; null for the whole organization.',
      example: null,
    }),
    filename: z.string().meta({ example: 'train.jsonl' }),
    purpose: z.literal('fine-tune'),
    status: z.literal('processed'),
    bytes: z.int().min(0).meta({ example: 48_211 }),
    line_count: z.int().min(0).meta({ description: 'Examples in the file.', example: 120 }),
    token_count: z.int().min(0).meta({
      description: 'Tokens of the examples: an estimate on the high side, by which money is held.',
      example: 30_900,
    }),
    created_by: z.string().meta({
      description: 'The id of the key that uploaded it.',
      example: 'key_06dpm2q4x8k3c0v9r7t5w1hzny',
    }),
    created_at: timestamp(),
    last_used_at: timestamp().nullable().meta({ description: 'Null until a job uses it.' }),
    expires_at: timestamp().meta({ description: 'When the file is deleted.' }),
  })
  .meta({ id: 'TrainingFile', description: 'A file of examples to train a model with.' });

export const presentManagedFile = presenter<typeof managedFile, TrainingFileRecord>(managedFile, {
  purpose: () => 'fine-tune',
  status: () => 'processed',
  created_by: ({ creatorId }) => creatorId,
});

const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1_000);

/** In the form of OpenAI’s API. */
export const presentFile = (record: TrainingFileRecord): z.input<typeof trainingFile> => ({
  id: record.id,
  object: 'file',
  bytes: record.bytes,
  created_at: secondsOf(record.createdAt),
  expires_at: secondsOf(record.expiresAt),
  filename: record.filename,
  purpose: 'fine-tune',
  status: 'processed',
});
