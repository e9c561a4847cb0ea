import { createRoute } from '@tanstack/react-router';
import { flag } from '../../../browser/address';
import { address } from '../../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { organizationList } from './list';

/** `/operator/`: all organizations. */
export const organizationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: address({ ...organizationList.address, create: flag }),
});

/** `/operator/organizations/org_…`: one organization. */
export const organizationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/organizations/$organizationId',
});
