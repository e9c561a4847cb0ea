import { createRoute } from '@tanstack/react-router';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { IncidentsIcon } from '../../ui/icons/icons';
import { incidentList } from './list';

/** `/console/incidents`: what is wrong with the platform. */
export const incidentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/incidents',
  validateSearch: address(incidentList.address),
  staticData: {
    title: 'Incidents',
    group: 'use',
    icon: IncidentsIcon,
    permission: 'org:read',
    what: 'incidents',
  },
});

/** `/console/incidents/inc_…`: one incident with its updates. */
export const incidentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/incidents/$incidentId',
  staticData: { title: 'Incident', permission: 'org:read', what: 'incidents', opensIds: 'incident' },
});
