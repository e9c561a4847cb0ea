import { referencePage, tableRows } from '@svc/testing';
import { permissions, rolePermissions, roles } from './permissions';

const PAGE = referencePage('authentication-and-permissions.md');

const spans = (words: string): string[] => Array.from(words.matchAll(/`([^`]+)`/g), ([, span = '']) => span);

const promised = tableRows(PAGE, '## Permissions').flatMap(([, words = '']) => spans(words));
const promisedRoles = new Map(
  tableRows(PAGE, '## Roles').map(([name = '', words = '']) => [name.replaceAll('`', ''), words]),
);

/** The permissions in a cell of the table of roles: their names, a suffix, or all, with exceptions. */
function meant(words: string): string[] {
  const [granted = '', denied = ''] = words.split(' but ');
  const without = spans(denied);
  const everything = granted === 'all' ? promised : named(granted);
  return everything.filter((permission) => !without.includes(permission));
}

const named = (words: string): string[] =>
  promised.filter((permission) =>
    spans(words).some((span) => (span.startsWith(':') ? permission.endsWith(span) : permission === span)),
  );

describe('permissions', () => {
  it('are those of the reference', () => {
    expect([...permissions].sort()).toEqual([...promised].sort());
  });

  it.each(roles)('of a %s are those of the reference', (role) => {
    expect([...rolePermissions[role]].sort()).toEqual(meant(promisedRoles.get(role) ?? '').sort());
  });

  it('are not granted by a role that the reference does not list', () => {
    expect(roles).toEqual([...promisedRoles.keys()]);
  });

  it('to manage webhooks belong to owner, security_admin and developer only', () => {
    expect(roles.filter((role) => rolePermissions[role].has('webhook:write'))).toEqual([
      'owner',
      'security_admin',
      'developer',
    ]);
  });
});
