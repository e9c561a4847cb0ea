/** Every permission (docs/reference/authentication-and-permissions.md#permissions). */
export const permissions = [
  'inference:invoke',
  'org:read',
  'org:write',
  'member:read',
  'member:write',
  'project:read',
  'project:write',
  'key:read',
  'key:create',
  'key:revoke',
  'webhook:write',
  'oauth_app:read',
  'oauth_app:write',
  'grant:read',
  'grant:revoke',
  'budget:read',
  'budget:write',
  'usage:read',
  'wallet:read',
  'wallet:write',
  'catalog:read',
  'policy:read',
  'policy:write',
  'credential:read',
  'credential:write',
  'audit:read',
  'alert:read',
  'alert:write',
  'export:read',
  'export:write',
  'approval:read',
  'approval:write',
  'approval:decide',
  'integration:read',
  'integration:write',
  'fine_tuning:read',
  'fine_tuning:write',
] as const;

export type Permission = (typeof permissions)[number];
export const isPermission = (text: string): text is Permission =>
  (permissions as readonly string[]).includes(text);

export const roles = ['owner', 'security_admin', 'developer', 'finance', 'viewer'] as const;
export type Role = (typeof roles)[number];
export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);

const all = new Set<Permission>(permissions);
const without = (...denied: Permission[]) =>
  new Set(permissions.filter((permission) => !denied.includes(permission)));
const readsWithout = (...denied: Permission[]) =>
  new Set(permissions.filter((permission) => permission.endsWith(':read') && !denied.includes(permission)));

/** The permissions of each role (docs/reference/authentication-and-permissions.md#roles). */
export const rolePermissions: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  owner: all,
  security_admin: without('wallet:write', 'org:write'),
  developer: new Set([
    'inference:invoke',
    'org:read',
    'project:read',
    'project:write',
    'key:read',
    'key:create',
    'key:revoke',
    'webhook:write',
    'oauth_app:read',
    'oauth_app:write',
    'budget:read',
    'usage:read',
    'catalog:read',
    'policy:read',
    'credential:read',
    'grant:read',
    'alert:read',
    'alert:write',
    'export:read',
    'export:write',
    'approval:read',
    'integration:read',
    'fine_tuning:read',
    'fine_tuning:write',
  ]),
  finance: new Set([
    'org:read',
    'usage:read',
    'wallet:read',
    'wallet:write',
    'budget:read',
    'budget:write',
    'project:read',
    'alert:read',
    'alert:write',
    'export:read',
    'export:write',
    'approval:read',
    'approval:decide',
  ]),
  viewer: readsWithout('audit:read', 'credential:read'),
};
