import { createRoute } from '@tanstack/react-router';
import { oneOf } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { IncidentsIcon } from '../../ui/icons/icons';

/** `/console/incidents`: what is wrong with the platform. */
export const incidentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/incidents',
  validateSearch: address({
    state: oneOf('open', 'resolved'),
    severity: oneOf('minor', 'major', 'critical'),
  }),
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
