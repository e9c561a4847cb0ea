import { isPermission, type Permission } from './permissions';

/** What a key of one project can do at most: what is the organization's own is out of its reach (contract.md section 4). */
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
 * What a key may do. A scope that is no permission gives nothing.
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
