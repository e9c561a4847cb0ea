import { type z } from 'zod';
import { type OrganizationRecord } from '@svc/persistence';
import { presentTime } from '@svc/platform/api';
import { type organization } from './organization-schema';

export const presentOrganization = (record: OrganizationRecord): z.input<typeof organization> => ({
  id: record.id,
  name: record.name,
  state: record.state,
  created_at: presentTime(record.createdAt),
  updated_at: presentTime(record.updatedAt),
});
