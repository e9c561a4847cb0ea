import { createRoute } from '@tanstack/react-router';
import { flag, oneOf } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { AppsIcon } from '../../ui/icons/icons';
import { grantList } from './list';

const shared = { permission: 'oauth_app:read', what: 'OAuth apps' } as const;

/** `/console/oauth-apps`: apps that act for members, and the grants that members gave. */
export const oauthAppsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/oauth-apps',
  validateSearch: address({ tab: oneOf('grants'), ...grantList.address, create: flag }),
  staticData: {
    ...shared,
    title: 'OAuth apps',
    group: 'connect',
    icon: AppsIcon,
    commands: [{ label: 'Register OAuth app', permission: 'oauth_app:write', search: { create: 'true' } }],
  },
});

/** `/console/oauth-apps/oapp_…`: one app. */
export const oauthAppRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/oauth-apps/$appId',
  staticData: { ...shared, title: 'OAuth app', opensIds: 'oauthApp' },
});
