import { z } from 'zod';
import { id, name, presentTime, timestamp } from '@svc/api';
import { type OrganizationRecord } from '@svc/persistence';

export const organizationState = z.enum(['active', 'suspended']).meta({
  description: 'API keys and access tokens of a suspended organization are refused.',
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

export const presentOrganization = (record: OrganizationRecord): z.input<typeof organization> => ({
  id: record.id,
  name: record.name,
  state: record.state,
  created_at: presentTime(record.createdAt),
  updated_at: presentTime(record.updatedAt),
});
