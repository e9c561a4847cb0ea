import { GatewayError } from '@svc/kernel';

/**
 * Holds an organization to the most that it can have of something. The transaction has locked the organization, so that
 * the count stays.
 * @throws GatewayError `conflict`.
 */
export function requireRoom(count: number, most: number, what: string, remedy: string): void {
  if (count < most) return;
  throw new GatewayError('conflict', `An organization has at most ${String(most)} ${what}: ${remedy}.`);
}
