import fc from 'fast-check';
import { referencePage, tableRows } from '@svc/testing';
import { rolePermissions, roles } from '../permissions/permissions';
import { isScope, narrowScopes, permissionsOfScopes, readScopes, scopes, scopeTable } from './scopes';

const someScopes = fc.subarray([...scopes]);
const role = fc.constantFrom(...roles);

describe('the scopes', () => {
  it('are those of the reference, with its order and descriptions', () => {
    const rows = tableRows(referencePage('oauth.md'), '## Scopes').map(
      ([name = '', description, words = '']) => [
        name.replaceAll('`', ''),
        {
          description,
          permissions: Array.from(words.matchAll(/`([^`]+)`/g), ([, permission]) => permission),
        },
      ],
    );
    expect(rows).toEqual(scopes.map((scope) => [scope, scopeTable[scope]]));
  });

  it('never allow inference, provider credentials or secrets, whatever the role', () => {
    const reached = permissionsOfScopes(scopes, 'owner');
    const closed = [
      'inference:invoke',
      'key:create',
      'credential:read',
      'credential:write',
      'oauth_app:write',
    ];
    expect([...reached].filter((permission) => closed.includes(permission))).toEqual([]);
  });

  it.each(['toString', '__proto__', 'OpenID', ''])('do not include %p', (name) => {
    expect(isScope(name)).toBe(false);
  });
});

describe('the permissions of scopes', () => {
  it('lie within the live role, and never grow with fewer scopes or a smaller role', () => {
    fc.assert(
      fc.property(someScopes, someScopes, role, (some, more, live) => {
        const [few, many] = [permissionsOfScopes(some, live), permissionsOfScopes([...some, ...more], live)];
        expect([...few].every((permission) => many.has(permission))).toBe(true);
        expect([...many].every((permission) => rolePermissions[live].has(permission))).toBe(true);
      }),
    );
  });

  it('are those of the table for an owner, who has every permission', () => {
    expect(permissionsOfScopes(['usage:read', 'projects:write'], 'owner')).toEqual(
      new Set(['usage:read', 'org:read', 'project:read', 'project:write']),
    );
    expect(permissionsOfScopes(['openid', 'email'], 'owner')).toEqual(new Set());
  });

  it('keep the permissions of a scope that the role still has', () => {
    expect(permissionsOfScopes(['projects:write'], 'viewer')).toEqual(new Set(['project:read']));
  });
});

describe('a scope parameter', () => {
  it('is read with any order, repetition and spaces', () => {
    expect(readScopes(' email  openid email ')).toEqual(['openid', 'email']);
  });

  it.each(['', '  ', 'openid admin', 'openid,email', 'openid\temail', 'OPENID', 'openid toString'])(
    '%p is refused',
    (text) => {
      expect(readScopes(text)).toBeNull();
    },
  );
});

describe('narrowed scopes', () => {
  it('are the granted ones that the app still has, whatever else is stored', () => {
    fc.assert(
      fc.property(someScopes, someScopes, (granted, app) => {
        const left = narrowScopes([...granted, 'gone'], [...app, 'gone']);
        expect(left).toEqual(scopes.filter((scope) => granted.includes(scope) && app.includes(scope)));
      }),
    );
  });

  it('leave out scopes without effect for a role', () => {
    expect(narrowScopes(scopes, scopes, 'developer')).toEqual(
      scopes.filter((scope) => scope !== 'wallet:read'),
    );
    expect(narrowScopes(scopes, scopes, 'finance')).toEqual([
      'openid',
      'email',
      'usage:read',
      'requests:read',
      'wallet:read',
      'projects:write',
    ]);
  });
});
