import { z } from 'zod';
import { id, name, timestamp } from '@svc/platform/api';

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
