import { createRoute } from '@tanstack/react-router';
import { flag } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { CredentialsIcon } from '../../ui/icons/icons';
import { credentialList } from './list';

/** `/console/provider-credentials`: on whose account providers are called. */
export const credentialsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/provider-credentials',
  validateSearch: address({ ...credentialList.address, add: flag }),
  staticData: {
    title: 'Provider credentials',
    group: 'control',
    icon: CredentialsIcon,
    permission: 'credential:read',
    what: 'provider credentials',
    commands: [{ label: 'Add provider credential', permission: 'credential:write', search: { add: 'true' } }],
  },
});
