import { createRoute } from '@tanstack/react-router';
import { flag } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { ExportsIcon } from '../../ui/icons/icons';
import { exportList } from './list';

/** `/console/exports`: files of the organization's rows. */
export const exportsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/exports',
  validateSearch: address({ ...exportList.address, create: flag }),
  staticData: {
    title: 'Exports',
    group: 'use',
    icon: ExportsIcon,
    permission: 'export:read',
    what: 'exports',
    commands: [{ label: 'Create export', permission: 'export:write', search: { create: 'true' } }],
  },
});
