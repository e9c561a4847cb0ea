import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { oneOf, text } from '../../app/address';
import { address } from '../../app/dropped-parameters';
import { rootRoute } from '../../app/root-route';
import { languages } from '../../calls/languages';

/** `/console/start`: the first call in two minutes. */
export const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/start',
  validateSearch: address({ code: oneOf(...languages), model: text }),
  component: lazyRouteComponent(() => import('./start-page'), 'StartPage'),
  staticData: { title: 'First call', permission: 'usage:read', what: 'whether calls arrive' },
});
