import { createRoute } from '@tanstack/react-router';
import { oneOf, text } from '../../../app/address';
import { address } from '../../../app/dropped-parameters';
import { rootRoute } from '../../app/root-route';
import { ParkedMessagesPage } from './parked-messages-page';

/** `/operator/parked-messages`: those that wait, unless resolved ones are asked for. */
export const parkedMessagesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/parked-messages',
  validateSearch: address({ state: oneOf('resolved'), consumer: text }),
  component: ParkedMessagesPage,
});
