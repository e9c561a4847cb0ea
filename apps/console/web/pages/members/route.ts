import { createRoute } from '@tanstack/react-router';
import { flag, oneOf } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { MembersIcon } from '../../ui/icons/icons';

/** `/console/members`: who may use the organization, and how. */
export const membersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/members',
  validateSearch: address({ tab: oneOf('members', 'invitations', 'roles'), removed: flag, invite: flag }),
  staticData: {
    title: 'Members',
    group: 'organization',
    icon: MembersIcon,
    permission: 'member:read',
    what: 'members',
    commands: [{ label: 'Invite member', permission: 'member:write', search: { invite: 'true' } }],
  },
});
