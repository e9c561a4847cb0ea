import { createRoute } from '@tanstack/react-router';
import { oneOf, text } from '../../../browser/address';
import { address } from '../../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';

/** `/operator/parked-messages`: those that wait, unless resolved ones are asked for. */
export const parkedMessagesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/parked-messages',
  validateSearch: address({ state: oneOf('resolved'), consumer: text }),
});
