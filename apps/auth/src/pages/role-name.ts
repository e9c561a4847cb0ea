import { type Role } from '@svc/access';

const names: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  security_admin: 'Security admin',
  developer: 'Developer',
  finance: 'Finance',
  viewer: 'Viewer',
};

export const roleName = (role: Role): string => names[role];
