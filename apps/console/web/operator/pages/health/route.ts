import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-route';

/** `/operator/health`: whether the installation keeps up. */
export const healthRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/health',
});
