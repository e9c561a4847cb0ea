import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { HealthPage } from './health-page';

/** `/operator/health`: whether the installation keeps up. */
export const healthRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/health',
  component: HealthPage,
});
