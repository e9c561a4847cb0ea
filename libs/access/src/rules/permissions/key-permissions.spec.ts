import fc from 'fast-check';
import { isKeyPermission, keyPermissions, permissionsOfKey, projectKeyPermissions } from './key-permissions';
import { isPermission, isRole, permissions } from './permissions';

const scope = fc.oneof(fc.constantFrom(...permissions), fc.string());

describe('the permissions of a key', () => {
  it('are its scopes that a key can have', () => {
    fc.assert(
      fc.property(fc.array(scope), (scopes) => {
        expect(permissionsOfKey(scopes, null)).toEqual(new Set(scopes.filter(isKeyPermission)));
      }),
    );
  });

  it('of one project are at most those that a project needs', () => {
    expect(permissionsOfKey(permissions, 'proj_1')).toEqual(projectKeyPermissions);
    expect(permissionsOfKey(['org:read', 'key:read', 'nonsense'], 'proj_1')).toEqual(new Set(['key:read']));
  });

  it('of one project never change resources of the organization', () => {
    const organizations = ['org:write', 'member:write', 'wallet:write', 'policy:write', 'credential:write'];
    expect(organizations.filter((name) => isPermission(name) && projectKeyPermissions.has(name))).toEqual([]);
  });
});

describe('every permission that a key can have', () => {
  it('leaves out what only people hold', () => {
    expect(permissions.filter((permission) => !isKeyPermission(permission))).toEqual([
      'approval:write',
      'approval:decide',
    ]);
    expect(permissionsOfKey(permissions, null)).toEqual(new Set(keyPermissions));
  });
});

describe('a name from the database or a body', () => {
  it.each(['toString', '__proto__', 'key:Read', ' key:read', ''])(
    '(%p) is neither a permission nor a role',
    (name) => {
      expect([isPermission(name), isRole(name)]).toEqual([false, false]);
    },
  );
});
