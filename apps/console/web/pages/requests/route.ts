import { createRoute } from '@tanstack/react-router';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { RequestsIcon } from '../../ui/icons/icons';
import { requestsAddress } from './list';

const permission = 'usage:read' as const;
const what = 'requests';

/** `/console/requests`: the list of calls. Its filters, the switch "Live" and the open row are in the address. */
export const requestsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/requests',
  validateSearch: address(requestsAddress),
  staticData: { title: 'Requests', group: 'use', icon: RequestsIcon, permission, what },
});

/** `/console/requests/req_…`: why one call went as it did, and what it cost. */
export const requestRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/requests/$requestId',
  staticData: { title: 'Request', permission, what, opensIds: 'request' },
});
