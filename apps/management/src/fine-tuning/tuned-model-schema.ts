import { z } from 'zod';
import { id, presenter, timestamp } from '@svc/api';
import { type TunedModelRecord } from '@svc/fine-tuning/store';

export const tunedModel = z
  .object({
    id: z.string().meta({
      description: 'What calls name as their model.',
      example: 'ft-qwertyui/small-support-asdfgh',
    }),
    organization_id: id('organization'),
    project_id: id('project').nullable().meta({
      description: 'The project whose key made it; null for the whole organization.',
      example: null,
    }),
    base_model: z.string().meta({ example: 'acme/small' }),
    provider: z.string().meta({ example: 'acme' }),
    region: z.string().meta({ example: 'eu-west' }),
    fine_tuning_job_id: id('fineTuningJob'),
    created_at: timestamp(),
  })
  .meta({ id: 'FineTunedModel', description: 'A model that a fine-tuning job made.' });

export const presentTunedModel = presenter<typeof tunedModel, TunedModelRecord>(tunedModel, {
  id: ({ name }) => name,
  fine_tuning_job_id: ({ jobId }) => jobId,
});
