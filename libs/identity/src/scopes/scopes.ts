import { type Permission, rolePermissions, type Role } from '../permissions/permissions';

/** What an app can ask a member for (interface.md, Scope table). */
export const scopes = [
  'openid',
  'email',
  'usage:read',
  'requests:read',
  'wallet:read',
  'keys:read',
  'catalog:read',
  'projects:write',
] as const;

export type Scope = (typeof scopes)[number];
export const isScope = (text: string): text is Scope => (scopes as readonly string[]).includes(text);

export interface ScopeDefinition {
  /** What the consent screen says of it. */
  readonly description: string;
  readonly permissions: readonly Permission[];
}

/** interface.md, Scope table. `openid` opens userinfo, and `email` adds the address to it. */
export const scopeTable: Readonly<Record<Scope, ScopeDefinition>> = {
  openid: { description: 'sign in and identify the account', permissions: [] },
  email: { description: 'read the email address', permissions: [] },
  'usage:read': {
    description: 'read usage, cost and request summaries',
    permissions: ['usage:read', 'org:read'],
  },
  'requests:read': { description: 'read individual request records', permissions: ['usage:read'] },
  'wallet:read': { description: 'read wallet balances and credit grants', permissions: ['wallet:read'] },
  'keys:read': { description: 'list API keys, never secret material', permissions: ['key:read'] },
  'catalog:read': {
    description: 'read the model catalog as the organization sees it',
    permissions: ['catalog:read'],
  },
  'projects:write': {
    description: 'create and update projects',
    permissions: ['project:read', 'project:write'],
  },
};

/** What scopes allow a member: scopes only narrow the live role (interface.md, Authentication, rule 4). */
export function permissionsOfScopes(granted: readonly Scope[], liveRole: Role): ReadonlySet<Permission> {
  const held = rolePermissions[liveRole];
  return new Set(
    granted.flatMap((scope) => scopeTable[scope].permissions.filter((permission) => held.has(permission))),
  );
}

/**
 * The scopes of a `scope` parameter, each once and in the table's order.
 * @returns null when one is not in the table, or there is none (RFC 6749 section 3.3).
 */
export function readScopes(text: string): readonly Scope[] | null {
  const asked = text.split(' ').filter((word) => word !== '');
  if (asked.length === 0 || !asked.every(isScope)) return null;
  return scopes.filter((scope) => asked.includes(scope));
}

/**
 * What is left of granted scopes: those that the app still has and, with a role, those that are of any use to it.
 * A scope without permissions is of use to all.
 */
export function narrowScopes(
  granted: readonly string[],
  appScopes: readonly string[],
  liveRole?: Role,
): readonly Scope[] {
  return scopes.filter(
    (scope) =>
      granted.includes(scope) &&
      appScopes.includes(scope) &&
      (liveRole === undefined || isOfUse(scope, liveRole)),
  );
}

const isOfUse = (scope: Scope, role: Role): boolean =>
  scopeTable[scope].permissions.length === 0 || permissionsOfScopes([scope], role).size > 0;
