import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { flag, idOf, oneOf } from '../../app/address';
import { address } from '../../app/dropped-parameters';
import { rootRoute } from '../../app/root-route';
import { AppsIcon } from '../../ui/icons/icons';

const shared = { permission: 'oauth_app:read', what: 'OAuth apps' } as const;

/** `/console/oauth-apps`: apps that act for members, and the grants that members gave. */
export const oauthAppsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/oauth-apps',
  validateSearch: address({
    tab: oneOf('grants'),
    app: idOf('oauthApp'),
    user: idOf('user'),
    state: oneOf('active', 'revoked'),
    create: flag,
  }),
  component: lazyRouteComponent(() => import('./oauth-apps-page'), 'OauthAppsPage'),
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
  component: lazyRouteComponent(() => import('./oauth-app-page'), 'OauthAppPage'),
  staticData: { ...shared, title: 'OAuth app', opensIds: 'oauthApp' },
});
