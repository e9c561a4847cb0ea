import { createRoute } from '@tanstack/react-router';
import { flag, oneOf } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { KeyIcon } from '../../ui/icons/icons';
import { keyList } from './list';

/** `/console/keys`: who can call. */
export const keysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  validateSearch: address({ ...keyList.address, create: flag, order: oneOf('spend') }),
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
  staticData: { title: 'Key', permission: 'key:read', what: 'API keys', opensIds: 'apiKey' },
});
