import { createRoute } from '@tanstack/react-router';
import { flag } from '../../../browser/address';
import { address } from '../../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { incidentList } from './list';

/** `/operator/incidents`: what is or was wrong with the platform. */
export const incidentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/incidents',
  validateSearch: address({ ...incidentList.address, declare: flag }),
});

/** `/operator/incidents/inc_…`: one incident. */
export const incidentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/incidents/$incidentId',
});
