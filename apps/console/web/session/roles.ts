import { formatList } from '../format/numbers';
import { type Permission, type Role } from './session';

const labels: Readonly<Record<Role, { readonly one: string; readonly many: string }>> = {
  owner: { one: 'Owner', many: 'owners' },
  security_admin: { one: 'Security admin', many: 'security admins' },
  developer: { one: 'Developer', many: 'developers' },
  finance: { one: 'Finance', many: 'finance members' },
  viewer: { one: 'Viewer', many: 'viewers' },
};
export const roles = Object.keys(labels) as Role[];

export const roleLabel = (role: Role): string => labels[role].one;

/**
 * The roles that lack each permission, for the sentence that says who has it. The session tells of the own role only;
 * `roles.spec.ts` compares this table with the reference.
 */
const lacking: Readonly<Partial<Record<Permission, readonly Role[]>>> = {
  'inference:invoke': ['finance', 'viewer'],
  'org:write': ['security_admin', 'developer', 'finance', 'viewer'],
  'member:read': ['developer', 'finance'],
  'member:write': ['developer', 'finance', 'viewer'],
  'project:write': ['finance', 'viewer'],
  'key:read': ['finance'],
  'key:create': ['finance', 'viewer'],
  'key:revoke': ['finance', 'viewer'],
  'webhook:write': ['finance', 'viewer'],
  'oauth_app:read': ['finance'],
  'oauth_app:write': ['finance', 'viewer'],
  'grant:read': ['finance'],
  'grant:revoke': ['developer', 'finance', 'viewer'],
  'budget:write': ['developer', 'viewer'],
  'wallet:read': ['developer'],
  'wallet:write': ['security_admin', 'developer', 'viewer'],
  'catalog:read': ['finance'],
  'policy:read': ['finance'],
  'policy:write': ['developer', 'finance', 'viewer'],
  'credential:read': ['finance', 'viewer'],
  'credential:write': ['developer', 'finance', 'viewer'],
  'audit:read': ['developer', 'finance', 'viewer'],
  'alert:write': ['viewer'],
  'export:write': ['viewer'],
  'approval:write': ['developer', 'finance', 'viewer'],
  'approval:decide': ['developer', 'viewer'],
  'integration:read': ['finance'],
  'integration:write': ['developer', 'finance', 'viewer'],
  'fine_tuning:read': ['finance'],
  'fine_tuning:write': ['finance', 'viewer'],
};

/** The roles that hold a permission, the most powerful first. */
export const rolesWith = (permission: Permission): readonly Role[] =>
  roles.filter((role) => !lacking[permission]?.includes(role));

/** The roles that have no permission beyond these: those that their holder can give to others. */
export const rolesWithin = (held: readonly Permission[]): readonly Role[] =>
  roles.filter((role) =>
    (Object.keys(lacking) as Permission[]).every(
      (permission) => held.includes(permission) || lacking[permission]?.includes(role) === true,
    ),
  );

/** `Your role, Viewer, cannot see the audit log. Owners and security admins can.` */
export function noPermissionText(role: Role, permission: Permission, what: string, verb = 'see'): string {
  const able = formatList(rolesWith(permission).map((other) => labels[other].many));
  return `Your role, ${roleLabel(role)}, cannot ${verb} ${what}. ${able.charAt(0).toUpperCase()}${able.slice(1)} can.`;
}
