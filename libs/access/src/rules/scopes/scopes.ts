import { type Permission, rolePermissions, type Role } from '../permissions/permissions';

/** The scopes that an app can request (docs/reference/oauth.md#scopes). */
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

interface ScopeDefinition {
  /** Its text on the consent screen. */
  readonly description: string;
  readonly permissions: readonly Permission[];
}

/** `openid` allows userinfo, and `email` adds the address to it. */
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

/** The permissions of scopes for a member. Scopes only narrow the live role (docs/reference/oauth.md#scopes). */
export function permissionsOfScopes(granted: readonly Scope[], liveRole: Role): ReadonlySet<Permission> {
  const held = rolePermissions[liveRole];
  return new Set(
    granted.flatMap((scope) => scopeTable[scope].permissions.filter((permission) => held.has(permission))),
  );
}

/**
 * The scopes of a `scope` parameter, without duplicates and in the table's order.
 * @returns null when one is unknown or there is none (RFC 6749 section 3.3).
 */
export function readScopes(text: string): readonly Scope[] | null {
  const asked = text.split(' ').filter((word) => word !== '');
  if (asked.length === 0 || !asked.every(isScope)) return null;
  return scopes.filter((scope) => asked.includes(scope));
}

/**
 * The granted scopes that the app still has and, with a role, that have any effect for it. A scope without permissions
 * has an effect for every role.
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
      (liveRole === undefined || hasEffect(scope, liveRole)),
  );
}

const hasEffect = (scope: Scope, role: Role): boolean =>
  scopeTable[scope].permissions.length === 0 || permissionsOfScopes([scope], role).size > 0;
