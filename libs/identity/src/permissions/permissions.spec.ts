import { permissions, rolePermissions, roles, type Role } from './permissions';

/** contract.md section 4, word for word. */
const PERMISSIONS =
  'inference:invoke org:read org:write member:read member:write project:read project:write key:read key:create key:revoke webhook:write oauth_app:read oauth_app:write grant:read grant:revoke budget:read budget:write usage:read wallet:read wallet:write catalog:read policy:read policy:write credential:read credential:write audit:read'.split(
    ' ',
  );
const ROLES: Readonly<Record<Role, string>> = {
  owner: 'all',
  security_admin: 'all but `wallet:write`, `org:write`',
  developer:
    '`inference:invoke`, `org:read`, `project:*`, `key:*`, `webhook:write`, `oauth_app:*`, `budget:read`, `usage:read`, `catalog:read`, `policy:read`, `credential:read`, `grant:read`',
  finance: '`org:read`, `usage:read`, `wallet:*`, `budget:*`, `project:read`',
  viewer: 'every `*:read` but `audit:read`, `credential:read`',
};

/** The permissions that a cell of the table's words stand for. */
function meant(words: string): string[] {
  const [granted = '', denied = ''] = words.split(' but ');
  const everything = granted === 'all' ? PERMISSIONS : named(granted);
  return everything.filter((permission) => !named(denied).includes(permission));
}

function named(words: string): string[] {
  const patterns = Array.from(words.matchAll(/`([^`]+)`/g), ([, pattern = '']) => pattern.split('*'));
  return PERMISSIONS.filter((permission) =>
    patterns.some(([start = '', end]) =>
      end === undefined ? permission === start : permission.startsWith(start) && permission.endsWith(end),
    ),
  );
}

describe('permissions', () => {
  it('are those of the contract, in its order', () => {
    expect(permissions).toEqual(PERMISSIONS);
  });

  it.each(roles)('of a %s are those of the contract', (role) => {
    expect([...rolePermissions[role]].sort()).toEqual(meant(ROLES[role]).sort());
  });

  it('reach nobody by a role that the contract does not know', () => {
    expect(roles).toEqual(Object.keys(ROLES));
  });

  it('to manage webhooks are held by owner, security_admin and developer alone', () => {
    expect(roles.filter((role) => rolePermissions[role].has('webhook:write'))).toEqual([
      'owner',
      'security_admin',
      'developer',
    ]);
  });
});
