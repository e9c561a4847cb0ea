import { type Caller } from '@svc/api';
import { isKeyPermission, rolePermissions, type Role } from '@svc/access';
import { GatewayError } from '@svc/kernel';

/** A key is not held to the permissions that no key can have. */
const isWithin = ({ permissions, userId }: Caller, role: Role): boolean =>
  [...rolePermissions[role]].every(
    (permission) => permissions.has(permission) || (userId === null && !isKeyPermission(permission)),
  );

/**
 * Callers give no role with permissions that they lack.
 * @throws GatewayError `permissionDenied`.
 */
export function requireMayGive(caller: Caller, role: Role): void {
  if (isWithin(caller, role)) return;
  throw new GatewayError('permissionDenied', `The role ${role} has permissions that you do not have.`, {
    param: 'role',
  });
}

/**
 * Callers change no member whose role has permissions that they lack.
 * @throws GatewayError `permissionDenied`.
 */
export function requireMayChange(caller: Caller, role: Role): void {
  if (isWithin(caller, role)) return;
  throw new GatewayError('permissionDenied', `This needs every permission of the role ${role}.`);
}
