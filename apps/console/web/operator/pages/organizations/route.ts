import { createRoute } from '@tanstack/react-router';
import { flag, oneOf, text } from '../../../browser/address';
import { address } from '../../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';

/** `/operator/`: all organizations. */
export const organizationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: address({ q: text, state: oneOf('active', 'suspended'), create: flag }),
});

/** `/operator/organizations/org_…`: one organization. */
export const organizationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/organizations/$organizationId',
});
