import { z } from 'zod';
import { id, name, timestamp } from '@svc/platform/api';

export const organizationState = z.enum(['active', 'suspended']).meta({
  description: 'While the operator has suspended it, its API keys and access tokens are refused.',
});

export const organization = z
  .object({
    id: id('organization'),
    name: name().meta({ example: 'Acme' }),
    state: organizationState,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Organization' });

export const organizationChange = z
  .strictObject({ name: name().meta({ example: 'Acme' }) })
  .partial()
  .meta({ id: 'OrganizationChange' });
