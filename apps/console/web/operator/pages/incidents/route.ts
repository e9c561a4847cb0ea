import { createRoute } from '@tanstack/react-router';
import { flag, oneOf } from '../../../app/address';
import { address } from '../../../app/dropped-parameters';
import { rootRoute } from '../../app/root-route';
import { IncidentPage } from './incident-page';
import { IncidentsPage } from './incidents-page';

/** `/operator/incidents`: what is or was wrong with the platform. */
export const incidentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/incidents',
  validateSearch: address({ state: oneOf('open', 'resolved'), declare: flag }),
  component: IncidentsPage,
});

/** `/operator/incidents/inc_…`: one incident. */
export const incidentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/incidents/$incidentId',
  component: IncidentPage,
});
