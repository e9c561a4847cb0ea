import { createRouter } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from '../../browser/address';
import { rootRoute } from '../frame/root-route';
import { HealthPage } from '../pages/health/health-page';
import { healthRoute } from '../pages/health/route';
import { IncidentPage } from '../pages/incidents/incident-page';
import { IncidentsPage } from '../pages/incidents/incidents-page';
import { incidentRoute, incidentsRoute } from '../pages/incidents/route';
import { OrganizationPage } from '../pages/organizations/organization-page';
import { OrganizationsPage } from '../pages/organizations/organizations-page';
import { organizationRoute, organizationsRoute } from '../pages/organizations/route';
import { ParkedMessagesPage } from '../pages/parked-messages/parked-messages-page';
import { parkedMessagesRoute } from '../pages/parked-messages/route';
import { PaymentsPage } from '../pages/payments/payments-page';
import { paymentsRoute } from '../pages/payments/route';
import { NotFound, PageError } from './page-states';
import { Shell } from './shell';

const routeTree = rootRoute
  .update({ component: Shell })
  .addChildren([
    organizationsRoute.update({ component: OrganizationsPage }),
    organizationRoute.update({ component: OrganizationPage }),
    paymentsRoute.update({ component: PaymentsPage }),
    incidentsRoute.update({ component: IncidentsPage }),
    incidentRoute.update({ component: IncidentPage }),
    parkedMessagesRoute.update({ component: ParkedMessagesPage }),
    healthRoute.update({ component: HealthPage }),
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
