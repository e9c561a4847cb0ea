import { referencePage, tableRows } from '@svc/testing';
import { noPermissionText, rolesWith, rolesWithin } from './roles';
import { type Role } from './session';

const PAGE = referencePage('authentication-and-permissions.md');
const spans = (words: string): string[] => Array.from(words.matchAll(/`([^`]+)`/g), ([, span = '']) => span);
const permissions = tableRows(PAGE, '## Permissions').flatMap(([, words = '']) => spans(words));

/** The permissions that a cell of the table of roles grants: names, suffixes or all, with exceptions. */
function granted(words: string): string[] {
  const [given = '', denied = ''] = words.split(' but ');
  const matches = (permission: string) =>
    spans(given).some((span) => (span.startsWith(':') ? permission.endsWith(span) : permission === span));
  return permissions.filter(
    (permission) => (given === 'all' || matches(permission)) && !spans(denied).includes(permission),
  );
}

describe('who has a permission', () => {
  it('is what the reference says, for every role and permission', () => {
    const promised = tableRows(PAGE, '## Roles').map(([role = '', words = '']) => ({
      role: role.replaceAll('`', '') as Role,
      permissions: granted(words),
    }));
    const shown = promised.map(({ role }) => ({
      role,
      permissions: permissions.filter((permission) => rolesWith(permission as never).includes(role)),
    }));
    expect(shown).toEqual(promised);
  });

  it('can be given by who holds all of it', () => {
    const heldBy = (role: Role) =>
      permissions.filter((permission) => rolesWith(permission as never).includes(role)) as never[];
    expect(rolesWithin(heldBy('owner'))).toEqual(rolesWith('org:read'));
    expect(rolesWithin(heldBy('security_admin'))).not.toContain('owner');
    expect(rolesWithin(heldBy('viewer'))).toEqual(['viewer']);
  });

  it('is said in a sentence', () => {
    expect(noPermissionText('viewer', 'audit:read', 'the audit log')).toBe(
      'Your role, Viewer, cannot see the audit log. Owners and security admins can.',
    );
  });
});
