/** The permissions (docs/reference/authentication-and-permissions.md#permissions). */
export const PERMISSIONS =
  'inference:invoke org:read org:write member:read member:write project:read project:write key:read key:create key:revoke webhook:write oauth_app:read oauth_app:write grant:read grant:revoke budget:read budget:write usage:read wallet:read wallet:write catalog:read policy:read policy:write credential:read credential:write audit:read alert:read alert:write export:read export:write approval:read approval:write approval:decide integration:read integration:write fine_tuning:read fine_tuning:write'.split(
    ' ',
  );

/** The permissions that a key can have (docs/reference/authentication-and-permissions.md#api-keys). */
export const KEY_PERMISSIONS = PERMISSIONS.filter(
  (permission) => !['approval:write', 'approval:decide'].includes(permission),
);

const without = (...denied: string[]) => PERMISSIONS.filter((permission) => !denied.includes(permission));

/** The permissions of each role (docs/reference/authentication-and-permissions.md#roles). */
export const ROLES: Readonly<Record<string, readonly string[]>> = {
  owner: PERMISSIONS,
  security_admin: without('wallet:write', 'org:write'),
  developer: PERMISSIONS.filter((permission) =>
    /^(inference:invoke|org:read|project:.*|key:.*|webhook:write|oauth_app:.*|budget:read|usage:read|catalog:read|policy:read|credential:read|grant:read|alert:.*|export:.*|approval:read|integration:read|fine_tuning:.*)$/.test(
      permission,
    ),
  ),
  finance: PERMISSIONS.filter((permission) =>
    /^(org:read|usage:read|wallet:.*|budget:.*|project:read|alert:.*|export:.*|approval:read|approval:decide)$/.test(
      permission,
    ),
  ),
  viewer: without('audit:read', 'credential:read').filter((permission) => permission.endsWith(':read')),
};
