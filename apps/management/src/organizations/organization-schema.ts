import { z } from 'zod';
import { id, line, name, presentTime, timestamp } from '@svc/api';
import { type OrganizationRecord } from '@svc/persistence';

export const organizationState = z.enum(['active', 'suspended']).meta({
  description: 'API keys and access tokens of a suspended organization are refused.',
});

const USAGE_TAG_MAX_LENGTH = 64;

const usageTag = () =>
  line(USAGE_TAG_MAX_LENGTH).nullable().meta({
    description:
      'The label by whose value usage is summed: a name in the `metadata` of calls, or `user`. Null: by none.',
    example: 'team',
  });

export const organization = z
  .object({
    id: id('organization'),
    name: name().meta({ example: 'Acme' }),
    state: organizationState,
    usage_tag: usageTag(),
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Organization' });

export const organizationChange = z
  .strictObject({ name: name().meta({ example: 'Acme' }), usage_tag: usageTag() })
  .partial()
  .meta({ id: 'OrganizationChange' });

export const presentOrganization = (record: OrganizationRecord): z.input<typeof organization> => ({
  id: record.id,
  name: record.name,
  state: record.state,
  usage_tag: record.usageTag,
  created_at: presentTime(record.createdAt),
  updated_at: presentTime(record.updatedAt),
});
