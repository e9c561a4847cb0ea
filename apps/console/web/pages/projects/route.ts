import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { flag } from '../../app/address';
import { address } from '../../app/dropped-parameters';
import { rootRoute } from '../../app/root-route';
import { ProjectsIcon } from '../../ui/icons/icons';

/** `/console/projects`: what keys, budgets and usage are grouped by. */
export const projectsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/projects',
  validateSearch: address({ create: flag }),
  component: lazyRouteComponent(() => import('./projects-page'), 'ProjectsPage'),
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
  component: lazyRouteComponent(() => import('./project-page'), 'ProjectPage'),
  staticData: {
    title: 'Project',
    permission: 'project:read',
    what: 'projects',
    opensIds: 'project',
  },
});
