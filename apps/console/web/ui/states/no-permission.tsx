import { type ReactElement } from 'react';
import { useOrganization } from '../../session/organization';
import { noPermissionText } from '../../session/roles';
import { type Permission } from '../../session/session';
import { LockIcon } from '../icons/icons';
import { State } from './states';

interface NoPermissionProps {
  readonly permission: Permission;
  /** `the audit log`. */
  readonly what: string;
}

/** `Your role, Viewer, cannot see the audit log. Owners and security admins can.` */
export function NoPermission({ permission, what }: NoPermissionProps): ReactElement {
  const { role } = useOrganization();
  return (
    <State icon={<LockIcon />} title="No permission">
      <p>{noPermissionText(role, permission, what)}</p>
    </State>
  );
}
