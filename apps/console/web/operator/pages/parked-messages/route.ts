import { createRoute } from '@tanstack/react-router';
import { address } from '../../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { messageList } from './list';

/** `/operator/parked-messages`: those that wait, unless resolved ones are asked for. */
export const parkedMessagesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/parked-messages',
  validateSearch: address(messageList.address),
});
