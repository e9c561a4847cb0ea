import { createRoute } from '@tanstack/react-router';
import { oneOf, text } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { ModelsIcon } from '../../ui/icons/icons';
import { modelList } from './list';
import { endpointOrders, modelOrders } from './orders';

const permission = 'catalog:read' as const;
const what = 'the catalog of models';

/** `/console/models`: what can be called, at what price, and why not. */
export const modelsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/models',
  validateSearch: address({ ...modelList.address, sort: oneOf(...modelOrders) }),
  staticData: { title: 'Models', group: 'use', icon: ModelsIcon, permission, what },
});

/** `/console/models/{creator}/{model}`: one model and its endpoints. */
export const modelRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/models/$creator/$model',
  validateSearch: address({ sort: oneOf(...endpointOrders), endpoint: text }),
  staticData: { title: 'Model', permission, what },
});
