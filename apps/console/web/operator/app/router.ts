import { createRouter } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from '../../app/address';
import { healthRoute } from '../pages/health/route';
import { incidentRoute, incidentsRoute } from '../pages/incidents/route';
import { organizationRoute, organizationsRoute } from '../pages/organizations/route';
import { parkedMessagesRoute } from '../pages/parked-messages/route';
import { paymentsRoute } from '../pages/payments/route';
import { NotFound, PageError } from './page-states';
import { rootRoute } from './root-route';

const routeTree = rootRoute.addChildren([
  organizationsRoute,
  organizationRoute,
  paymentsRoute,
  incidentsRoute,
  incidentRoute,
  parkedMessagesRoute,
  healthRoute,
]);

export const router = createRouter({
  routeTree,
  basepath: '/operator',
  parseSearch,
  stringifySearch,
  search: { strict: true },
  trailingSlash: 'preserve',
  scrollRestoration: true,
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: NotFound,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
