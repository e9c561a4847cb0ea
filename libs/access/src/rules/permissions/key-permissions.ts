import { permissions, type Permission } from './permissions';

/** The permissions that only people hold (docs/reference/authentication-and-permissions.md#api-keys). */
type PersonalPermission = 'approval:write' | 'approval:decide';
type KeyPermission = Exclude<Permission, PersonalPermission>;

const personalPermissions: readonly string[] = [
  'approval:write',
  'approval:decide',
] satisfies readonly PersonalPermission[];

/** The permissions that a key can have (docs/reference/authentication-and-permissions.md#api-keys). */
export const keyPermissions: readonly KeyPermission[] = permissions.filter(
  (permission): permission is KeyPermission => !personalPermissions.includes(permission),
);
export const isKeyPermission = (text: string): text is KeyPermission =>
  (keyPermissions as readonly string[]).includes(text);

/**
 * The permissions that a key of one project can have. They exclude resources of the organization
 * (docs/reference/authentication-and-permissions.md#project-keys).
 */
export const projectKeyPermissions: ReadonlySet<Permission> = new Set([
  'inference:invoke',
  'project:read',
  'key:read',
  'key:create',
  'key:revoke',
  'usage:read',
  'catalog:read',
  'budget:read',
  'policy:read',
  'alert:read',
  'alert:write',
  'export:read',
  'export:write',
  'fine_tuning:read',
  'fine_tuning:write',
]);

/**
 * The permissions of a key. Scopes that a key cannot have are ignored.
 * @param projectId null for an organization-wide key.
 */
export function permissionsOfKey(
  scopes: readonly string[],
  projectId: string | null,
): ReadonlySet<Permission> {
  return new Set(
    scopes.filter(isKeyPermission).filter((scope) => projectId === null || projectKeyPermissions.has(scope)),
  );
}
