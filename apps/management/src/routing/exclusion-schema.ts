import { z } from 'zod';

/** Why an endpoint or a model is left out. */
export const exclusion = {
  constraint: z
    .enum([
      ...['model', 'credential', 'provider', 'region', 'data_retention', 'credential_mode', 'operation'],
      ...['priced_betas', 'account_references', 'parameters', 'circuit', 'max_attempts', 'endpoints'],
    ] as const)
    .meta({ description: 'What is not fulfilled.', example: 'region' }),
  field: z.string().nullable().meta({
    description: 'The field of the policy or of the call that leaves it out; null where no field does.',
    example: 'denied_regions',
  }),
  message: z
    .string()
    .meta({ description: 'One sentence.', example: 'Denied by policy version 7: region us.' }),
};
