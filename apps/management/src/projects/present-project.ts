import { type z } from 'zod';
import { type ProjectRecord } from '@svc/persistence';
import { presentTime } from '@svc/platform/api';
import { type project } from './project-schema';

export const presentProject = (record: ProjectRecord): z.input<typeof project> => ({
  id: record.id,
  organization_id: record.organizationId,
  name: record.name,
  state: record.state,
  created_at: presentTime(record.createdAt),
  updated_at: presentTime(record.updatedAt),
});
