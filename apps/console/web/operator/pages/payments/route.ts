import { createRoute } from '@tanstack/react-router';
import { address } from '../../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { paymentList } from './list';

/** `/operator/payments`: those that wait for a person, unless another state is asked for. */
export const paymentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/payments',
  validateSearch: address(paymentList.address),
});
