import { createRoute } from '@tanstack/react-router';
import { rootRoute } from '../../frame/root-route';
import { SettingsIcon } from '../../ui/icons/icons';

/** `/console/settings`: the organization, your account, how the console looks, and what it is. */
export const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  staticData: {
    title: 'Settings',
    group: 'organization',
    icon: SettingsIcon,
  },
});
