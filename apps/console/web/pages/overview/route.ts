import { createRoute } from '@tanstack/react-router';
import { flag, idOf, oneOf, subject } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { OverviewIcon } from '../../ui/icons/icons';
import { groupingsFor } from './groups';
import { periods } from './period';
import { readOverview } from './read-overview';

/** `/console/`: what calls cost, whether they work, and how fast they are. */
export const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: address({
    period: oneOf(...periods),
    group: oneOf(...groupingsFor(undefined)),
    project: idOf('project'),
    end_user: subject,
    all: flag,
  }),
  loader: readOverview,
  staticData: {
    title: 'Overview',
    group: 'use',
    icon: OverviewIcon,
    permission: 'usage:read',
    what: 'what calls cost',
    listsIncidents: true,
  },
});
