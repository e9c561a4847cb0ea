import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { flag, oneOf } from '../../app/address';
import { address } from '../../app/dropped-parameters';
import { rootRoute } from '../../app/root-route';
import { ExportsIcon } from '../../ui/icons/icons';
import { exportKinds, exportStates } from './export';

/** `/console/exports`: files of the organization's rows. */
export const exportsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/exports',
  validateSearch: address({
    state: oneOf(...exportStates),
    kind: oneOf(...exportKinds),
    create: flag,
  }),
  component: lazyRouteComponent(() => import('./exports-page'), 'ExportsPage'),
  staticData: {
    title: 'Exports',
    group: 'use',
    icon: ExportsIcon,
    permission: 'export:read',
    what: 'exports',
    commands: [{ label: 'Create export', permission: 'export:write', search: { create: 'true' } }],
  },
});
