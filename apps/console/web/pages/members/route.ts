import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { flag, oneOf } from '../../app/address';
import { address } from '../../app/dropped-parameters';
import { rootRoute } from '../../app/root-route';
import { MembersIcon } from '../../ui/icons/icons';

/** `/console/members`: who may use the organization, and how. */
export const membersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/members',
  validateSearch: address({ tab: oneOf('members', 'invitations', 'roles'), removed: flag, invite: flag }),
  component: lazyRouteComponent(() => import('./members-page'), 'MembersPage'),
  staticData: {
    title: 'Members',
    group: 'organization',
    icon: MembersIcon,
    permission: 'member:read',
    what: 'members',
    commands: [{ label: 'Invite member', permission: 'member:write', search: { invite: 'true' } }],
  },
});
