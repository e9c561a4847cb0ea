import { isPermission, type Permission } from './permissions';

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
]);

/**
 * The permissions of a key. Scopes that are not permissions are ignored.
 * @param projectId null for an organization-wide key.
 */
export function permissionsOfKey(
  scopes: readonly string[],
  projectId: string | null,
): ReadonlySet<Permission> {
  return new Set(
    scopes.filter(isPermission).filter((scope) => projectId === null || projectKeyPermissions.has(scope)),
  );
}
