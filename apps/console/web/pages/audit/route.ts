import { createRoute } from '@tanstack/react-router';
import { address } from '../../browser/dropped-parameters';
import { rootRoute } from '../../frame/root-route';
import { AuditIcon } from '../../ui/icons/icons';
import { auditList } from './list';

/** `/console/audit`: who changed what, and when. */
export const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: address(auditList.address),
  staticData: {
    title: 'Audit log',
    group: 'organization',
    icon: AuditIcon,
    permission: 'audit:read',
    what: 'the audit log',
  },
});
