import { createRoute } from '@tanstack/react-router';
import { flag, oneOf, text } from '../../../app/address';
import { address } from '../../../app/dropped-parameters';
import { rootRoute } from '../../app/root-route';
import { OrganizationPage } from './organization-page';
import { OrganizationsPage } from './organizations-page';

/** `/operator/`: all organizations. */
export const organizationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: address({ q: text, state: oneOf('active', 'suspended'), create: flag }),
  component: OrganizationsPage,
});

/** `/operator/organizations/org_…`: one organization. */
export const organizationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/organizations/$organizationId',
  component: OrganizationPage,
});
