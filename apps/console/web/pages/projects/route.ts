import { createRoute } from '@tanstack/react-router';
import { flag } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { ProjectsIcon } from '../../ui/icons/icons';

/** `/console/projects`: what keys, budgets and usage are grouped by. */
export const projectsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects',
  validateSearch: address({ create: flag }),
  staticData: {
    title: 'Projects',
    group: 'control',
    icon: ProjectsIcon,
    permission: 'project:read',
    what: 'projects',
    commands: [{ label: 'Create project', permission: 'project:write', search: { create: 'true' } }],
  },
});

/** `/console/projects/proj_…`: one project. */
export const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects/$projectId',
  staticData: {
    title: 'Project',
    permission: 'project:read',
    what: 'projects',
    opensIds: 'project',
  },
});
