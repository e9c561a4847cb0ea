import { createRoute } from '@tanstack/react-router';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { RefusalsIcon } from '../../ui/icons/icons';
import { refusalList } from './list';

/** `/console/refusals`: the calls that no provider was asked for, and why. */
export const refusalsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/refusals',
  validateSearch: address(refusalList.address),
  staticData: {
    title: 'Refused calls',
    group: 'use',
    icon: RefusalsIcon,
    permission: 'usage:read',
    what: 'refused calls',
  },
});
