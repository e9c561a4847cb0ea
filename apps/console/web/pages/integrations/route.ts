import { createRoute } from '@tanstack/react-router';
import { flag } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { deliveryList } from '../../deliveries/list';
import { rootRoute } from '../../frame/root-route';
import { IntegrationsIcon } from '../../ui/icons/icons';
import { integrationList } from './list';

const shared = { permission: 'integration:read', what: 'integrations' } as const;

/** `/console/integrations`: channels, people and receivers of telemetry that are told what happens. */
export const integrationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/integrations',
  validateSearch: address({ ...integrationList.address, create: flag }),
  staticData: {
    ...shared,
    title: 'Integrations',
    group: 'connect',
    icon: IntegrationsIcon,
    commands: [{ label: 'Create integration', permission: 'integration:write', search: { create: 'true' } }],
  },
});

/** `/console/integrations/int_…`: one integration. */
export const integrationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/integrations/$integrationId',
  staticData: { ...shared, title: 'Integration', opensIds: 'integration' },
});

/** `/console/integrations/int_…/deliveries`: what was sent to it. */
export const integrationDeliveriesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/integrations/$integrationId/deliveries',
  validateSearch: address(deliveryList.address),
  staticData: { ...shared, title: 'Deliveries' },
});

/** `/console/integrations/int_…/deliveries/dlv_…`: one delivery with all its attempts. */
export const integrationDeliveryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/integrations/$integrationId/deliveries/$deliveryId',
  staticData: { ...shared, title: 'Delivery' },
});
