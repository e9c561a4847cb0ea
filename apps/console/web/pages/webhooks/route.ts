import { createRoute } from '@tanstack/react-router';
import { flag, oneOf } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { deliveryList } from '../../deliveries/list';
import { rootRoute } from '../../frame/root-route';
import { WebhooksIcon } from '../../ui/icons/icons';
import { endpointList } from './list';

const shared = { permission: 'webhook:write', what: 'webhooks' } as const;

/** `/console/webhooks`: who is told of events. */
export const webhooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks',
  validateSearch: address({ ...endpointList.address, create: flag }),
  staticData: {
    ...shared,
    title: 'Webhooks',
    group: 'connect',
    icon: WebhooksIcon,
    commands: [{ label: 'Create webhook', permission: 'webhook:write', search: { create: 'true' } }],
  },
});

/** `/console/webhooks/whe_…`: one endpoint, and how to verify what it gets. */
export const endpointRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks/$endpointId',
  validateSearch: address({ tab: oneOf('verify') }),
  staticData: { ...shared, title: 'Webhook', opensIds: 'webhookEndpoint' },
});

/** `/console/webhooks/whe_…/deliveries`: what was sent to it. */
export const deliveriesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks/$endpointId/deliveries',
  validateSearch: address(deliveryList.address),
  staticData: { ...shared, title: 'Deliveries' },
});

/** `/console/webhooks/whe_…/deliveries/dlv_…`: one delivery with all its attempts. */
export const deliveryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks/$endpointId/deliveries/$deliveryId',
  staticData: { ...shared, title: 'Delivery' },
});

/** `/console/webhooks/deliveries/dlv_…`: a delivery whose endpoint is not known, by the id that was pasted. */
export const pastedDeliveryRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks/deliveries/$deliveryId',
  staticData: { ...shared, title: 'Delivery', opensIds: 'webhookDelivery' },
});
