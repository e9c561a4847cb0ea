import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { flag, idOf, oneOf, text } from '../../app/address';
import { address } from '../../app/dropped-parameters';
import { rootRoute } from '../../app/root-route';
import { KeyIcon } from '../../ui/icons/icons';

/** `/console/keys`: who can call. */
export const keysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  validateSearch: address({
    q: text,
    state: oneOf('active', 'revoked'),
    project: idOf('project'),
    purpose: oneOf('playground'),
    create: flag,
  }),
  component: lazyRouteComponent(() => import('./keys-page'), 'KeysPage'),
  staticData: {
    title: 'Keys',
    group: 'control',
    icon: KeyIcon,
    permission: 'key:read',
    what: 'API keys',
    commands: [{ label: 'Create key', permission: 'key:create', search: { create: 'true' } }],
  },
});

/** `/console/keys/key_…`: one key. */
export const keyRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys/$keyId',
  component: lazyRouteComponent(() => import('./key-page'), 'KeyPage'),
  staticData: { title: 'Key', permission: 'key:read', what: 'API keys', opensIds: 'apiKey' },
});
