import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { SettingsIcon } from '../../ui/icons/icons';

/** `/console/settings`: the organization, your account, how the console looks, and what it is. */
export const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings-page'), 'SettingsPage'),
  staticData: {
    title: 'Settings',
    group: 'organization',
    icon: SettingsIcon,
  },
});
