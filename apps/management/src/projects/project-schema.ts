import { z } from 'zod';
import { id, idList, name, presentTime, timestamp } from '@svc/api';
import { type ProjectRecord } from '@svc/access/store';

/** Active ones of an organization. */
export const PROJECTS_MAX = 10_000;

const state = z.enum(['active', 'archived']).meta({ description: 'An archived project takes no new calls.' });

export const project = z
  .object({
    id: id('project'),
    organization_id: id('organization'),
    name: name(),
    state,
    created_at: timestamp(),
    updated_at: timestamp(),
  })
  .meta({ id: 'Project' });

export const newProject = z.strictObject({ name: name() }).meta({ id: 'NewProject' });

export const projectChange = z.strictObject({ name: name(), state }).partial().meta({ id: 'ProjectChange' });

export const projectFilters = { ids: idList('project').optional() };

export const presentProject = (record: ProjectRecord): z.input<typeof project> => ({
  id: record.id,
  organization_id: record.organizationId,
  name: record.name,
  state: record.state,
  created_at: presentTime(record.createdAt),
  updated_at: presentTime(record.updatedAt),
});
