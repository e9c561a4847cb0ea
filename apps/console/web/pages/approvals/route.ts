import { createRoute } from '@tanstack/react-router';
import { flag, oneOf } from '../../browser/address';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { ApprovalsIcon } from '../../ui/icons/icons';
import { requestList } from './list';
import { WaitingBadge } from './waiting-badge';

/** `/console/approvals`: which changes wait, and the policies that make them wait. */
export const approvalsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/approvals',
  validateSearch: address({
    tab: oneOf('policies'),
    ...requestList.address,
    create: flag,
  }),
  staticData: {
    title: 'Approvals',
    group: 'organization',
    icon: ApprovalsIcon,
    badge: WaitingBadge,
    permission: 'approval:read',
    what: 'approvals',
    commands: [
      {
        label: 'Create approval policy',
        permission: 'approval:write',
        search: { tab: 'policies', create: 'true' },
      },
    ],
  },
});

/** `/console/approvals/apr_…`: one change that waits, or waited. */
export const approvalRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/approvals/$approvalRequestId',
  staticData: {
    title: 'Approval',
    permission: 'approval:read',
    what: 'approvals',
    opensIds: 'approvalRequest',
  },
});
