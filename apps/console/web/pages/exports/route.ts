import { createRoute } from '@tanstack/react-router';
import { flag, oneOf } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
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
  staticData: {
    title: 'Exports',
    group: 'use',
    icon: ExportsIcon,
    permission: 'export:read',
    what: 'exports',
    commands: [{ label: 'Create export', permission: 'export:write', search: { create: 'true' } }],
  },
});
