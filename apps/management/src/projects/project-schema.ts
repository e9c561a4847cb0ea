import { z } from 'zod';
import { id, idList, name, presenter, timestamp } from '@svc/api';
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

export const presentProject = presenter<typeof project, ProjectRecord>(project, {});
