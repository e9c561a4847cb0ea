import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { address } from './dropped-parameters';
import { rootRoute } from './root-route';

/** `/console/`: the first page that the role may see. */
export const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  validateSearch: address({}),
  component: lazyRouteComponent(() => import('./home'), 'Home'),
});
