import { createRoute } from '@tanstack/react-router';
import { oneOf } from '../../../app/address';
import { address } from '../../../app/dropped-parameters';
import { rootRoute } from '../../app/root-route';
import { shownStates } from './payment';
import { PaymentsPage } from './payments-page';

/** `/operator/payments`: those that wait for a person, unless another state is asked for. */
export const paymentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/payments',
  validateSearch: address({ state: oneOf('all', ...shownStates) }),
  component: PaymentsPage,
});
