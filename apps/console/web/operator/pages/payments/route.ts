import { createRoute } from '@tanstack/react-router';
import { oneOf } from '../../../browser/address';
import { address } from '../../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { shownStates } from './payment';

/** `/operator/payments`: those that wait for a person, unless another state is asked for. */
export const paymentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/payments',
  validateSearch: address({ state: oneOf('all', ...shownStates) }),
});
