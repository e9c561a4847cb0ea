/** The permissions (docs/reference/authentication-and-permissions.md#permissions). */
export const PERMISSIONS =
  'inference:invoke org:read org:write member:read member:write project:read project:write key:read key:create key:revoke webhook:write oauth_app:read oauth_app:write grant:read grant:revoke budget:read budget:write usage:read wallet:read wallet:write catalog:read policy:read policy:write credential:read credential:write audit:read'.split(
    ' ',
  );

const without = (...denied: string[]) => PERMISSIONS.filter((permission) => !denied.includes(permission));

/** What each role may do (docs/reference/authentication-and-permissions.md#roles). */
export const ROLES: Readonly<Record<string, readonly string[]>> = {
  owner: PERMISSIONS,
  security_admin: without('wallet:write', 'org:write'),
  developer: PERMISSIONS.filter((permission) =>
    /^(inference:invoke|org:read|project:.*|key:.*|webhook:write|oauth_app:.*|budget:read|usage:read|catalog:read|policy:read|credential:read|grant:read)$/.test(
      permission,
    ),
  ),
  finance: PERMISSIONS.filter((permission) =>
    /^(org:read|usage:read|wallet:.*|budget:.*|project:read)$/.test(permission),
  ),
  viewer: without('audit:read', 'credential:read').filter((permission) => permission.endsWith(':read')),
};
