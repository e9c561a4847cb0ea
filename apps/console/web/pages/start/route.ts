import { createRoute } from '@tanstack/react-router';
import { oneOf, text } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { languages } from '../../calls/languages';
import { rootRoute } from '../../frame/root-route';

/** `/console/start`: the first call in two minutes. */
export const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/start',
  validateSearch: address({ code: oneOf(...languages), model: text }),
  staticData: { title: 'First call', permission: 'usage:read', what: 'whether calls arrive' },
});
