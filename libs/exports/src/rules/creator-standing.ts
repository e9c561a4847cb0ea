import { isRole, permissionsOfKey, rolePermissions, type Permission } from '@svc/access';
import { kindRules, type ExportKind } from './export-kinds';

/** Permissions of the creator of an export at this moment; null for one who is gone. */
type CreatorStanding =
  | { readonly kind: 'api_key'; readonly scopes: readonly string[]; readonly projectId: string | null }
  | { readonly kind: 'user'; readonly role: string }
  | { readonly kind: 'oauth_app' }
  | null;

/** True where an export may go on: its creator could still ask for it. */
export function mayGoOn(kind: ExportKind, projectId: string | null, creator: CreatorStanding): boolean {
  const permissions = permissionsOf(creator);
  if (creator?.kind === 'api_key' && creator.projectId !== projectId) return false;
  return permissions.has('export:write') && permissions.has(kindRules[kind].permission);
}

function permissionsOf(creator: CreatorStanding): ReadonlySet<Permission> {
  if (creator?.kind === 'api_key') return permissionsOfKey(creator.scopes, creator.projectId);
  if (creator?.kind === 'user' && isRole(creator.role)) return rolePermissions[creator.role];
  return new Set();
}
