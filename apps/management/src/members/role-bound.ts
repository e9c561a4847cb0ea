import { rolePermissions, type Role } from '@svc/identity';
import { GatewayError } from '@svc/kernel';
import { type Caller } from '@svc/platform/api';

const isWithin = ({ permissions }: Caller, role: Role): boolean =>
  [...rolePermissions[role]].every((permission) => permissions.has(permission));

/**
 * Nobody makes others more than they are themselves.
 * @throws GatewayError `permissionDenied`.
 */
export function requireMayGive(caller: Caller, role: Role): void {
  if (isWithin(caller, role)) return;
  throw new GatewayError('permissionDenied', `The role ${role} has permissions that you do not have.`, {
    param: 'role',
  });
}

/**
 * Nobody changes what others hold who are more than they are themselves.
 * @throws GatewayError `permissionDenied`.
 */
export function requireMayChange(caller: Caller, role: Role): void {
  if (isWithin(caller, role)) return;
  throw new GatewayError(
    'permissionDenied',
    `Only who has every permission of the role ${role} may do this.`,
  );
}
