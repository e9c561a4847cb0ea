import fc from 'fast-check';
import { rolePermissions, roles } from '../permissions/permissions';
import { isScope, narrowScopes, permissionsOfScopes, readScopes, scopes, scopeTable } from './scopes';

/** interface.md, Scope table, word for word. */
const TABLE = `
| openid | sign in and identify the account | none; required for userinfo |
| email | read the email address | none; adds email to userinfo |
| usage:read | read usage, cost and request summaries | \`usage:read\`, \`org:read\` |
| requests:read | read individual request records | \`usage:read\` |
| wallet:read | read wallet balances and credit grants | \`wallet:read\` |
| keys:read | list API keys, never secret material | \`key:read\` |
| catalog:read | read the model catalog as the organization sees it | \`catalog:read\` |
| projects:write | create and update projects | \`project:read\`, \`project:write\` |`;

const someScopes = fc.subarray([...scopes]);
const role = fc.constantFrom(...roles);

describe('the scopes', () => {
  it('are those of the interface, in its order and words', () => {
    const rows = TABLE.trim()
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .map(([, name, description, words = '']) => [
        name,
        {
          description,
          permissions: Array.from(words.matchAll(/`([^`]+)`/g), ([, permission]) => permission),
        },
      ]);
    expect(rows).toEqual(scopes.map((scope) => [scope, scopeTable[scope]]));
  });

  it('reach no inference, no provider credential and no secret, whatever the role', () => {
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
  it('lie within the live role, and grow with neither fewer scopes nor a smaller role', () => {
    fc.assert(
      fc.property(someScopes, someScopes, role, (some, more, live) => {
        const [few, many] = [permissionsOfScopes(some, live), permissionsOfScopes([...some, ...more], live)];
        expect([...few].every((permission) => many.has(permission))).toBe(true);
        expect([...many].every((permission) => rolePermissions[live].has(permission))).toBe(true);
      }),
    );
  });

  it('are those of the table for an owner, who may do all', () => {
    expect(permissionsOfScopes(['usage:read', 'projects:write'], 'owner')).toEqual(
      new Set(['usage:read', 'org:read', 'project:read', 'project:write']),
    );
    expect(permissionsOfScopes(['openid', 'email'], 'owner')).toEqual(new Set());
  });

  it('keep what the role still has of a scope', () => {
    expect(permissionsOfScopes(['projects:write'], 'viewer')).toEqual(new Set(['project:read']));
  });
});

describe('a scope parameter', () => {
  it('is read whatever its order, repetition and spaces', () => {
    expect(readScopes(' email  openid email ')).toEqual(['openid', 'email']);
  });

  it.each(['', '  ', 'openid admin', 'openid,email', 'openid\temail', 'OPENID', 'openid toString'])(
    '%p is none of ours',
    (text) => {
      expect(readScopes(text)).toBeNull();
    },
  );
});

describe('narrowed scopes', () => {
  it('are both granted and the app’s, whatever else is stored', () => {
    fc.assert(
      fc.property(someScopes, someScopes, (granted, app) => {
        const left = narrowScopes([...granted, 'gone'], [...app, 'gone']);
        expect(left).toEqual(scopes.filter((scope) => granted.includes(scope) && app.includes(scope)));
      }),
    );
  });

  it('leave out what is of no use to a role', () => {
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
