import { type Caller } from '@svc/api';
import { projectKeyPermissions, type Permission } from '@svc/access';
import { GatewayError } from '@svc/kernel';
import { type ApiKeyDetails } from '@svc/access/store';

const PLAYGROUND_LIFETIME_MS = 3_600_000;

/** @throws GatewayError `permissionDenied` for a scope that is not held. */
export function refuseScopesBeyond(held: ReadonlySet<Permission>, scopes: readonly string[]): void {
  const beyond = scopes.find((scope) => !held.has(scope as Permission));
  if (beyond === undefined) return;
  throw new GatewayError('permissionDenied', `You cannot give a key the permission ${beyond}: you lack it.`, {
    param: 'scopes',
  });
}

/** @throws GatewayError `permissionDenied` for who may not say whose budgets count a key. */
export function refuseMemberOfOthers(held: ReadonlySet<Permission>): void {
  if (held.has('budget:write')) return;
  throw new GatewayError(
    'permissionDenied',
    'You cannot make a key for another member, or for none: you lack the permission budget:write.',
    { param: 'member_id' },
  );
}

/** @throws GatewayError `invalidRequest` for a scope that no project's key can have. */
export function refuseScopesOfOrganization(scopes: readonly Permission[]): void {
  const at = scopes.findIndex((scope) => !projectKeyPermissions.has(scope));
  if (at < 0) return;
  throw refused(
    `scopes[${String(at)}]`,
    `A key of one project cannot have the permission ${scopes[at] ?? ''}.`,
  );
}

/**
 * @returns the id of the user who is to have the playground key.
 * @throws GatewayError `permissionDenied` for a caller without a console session, `invalidRequest` for other scopes.
 */
export function ownerOfPlayground({ actor }: Caller, scopes: readonly Permission[]): string {
  if (actor.type !== 'user' || actor.id === null) {
    throw new GatewayError('permissionDenied', 'Only a console session can create a playground key.', {
      param: 'purpose',
    });
  }
  if (scopes.some((scope) => scope !== 'inference:invoke')) {
    throw refused('scopes', 'scopes: a playground key has inference:invoke alone.');
  }
  return actor.id;
}

/** When a key ends, with the facts that bound it. */
interface Expiry extends Pick<ApiKeyDetails, 'purpose' | 'createdAt'> {
  readonly asked: Date | null;
  readonly at: Date;
}

/**
 * @returns when the key ends; null: never. A playground key ends an hour after its creation at the latest.
 * @throws GatewayError `invalidRequest` for a time that is not in the future, or too late for the purpose.
 */
export function expiryOf({ asked, purpose, createdAt, at }: Expiry): Date | null {
  if (asked !== null && asked <= at) throw refused('expires_at', 'expires_at: must be in the future.');
  if (purpose === 'general') return asked;
  const latest = new Date(createdAt.getTime() + PLAYGROUND_LIFETIME_MS);
  if (asked !== null && asked > latest) {
    throw refused('expires_at', 'expires_at: a playground key ends within one hour of its creation.');
  }
  return asked ?? latest;
}

/**
 * @returns when the key is to end instead; undefined where that does not change.
 * @throws GatewayError `permissionDenied` where it is later and the caller lacks a scope of the key, and as {@link expiryOf}.
 */
export function changedExpiry(
  { permissions }: Caller,
  key: ApiKeyDetails,
  asked: Date | null,
  at: Date,
): Date | null | undefined {
  if (asked?.getTime() === key.expiresAt?.getTime()) return undefined;
  if (isLater(asked, key.expiresAt)) refuseScopesBeyond(permissions, key.scopes);
  return expiryOf({ ...key, asked, at });
}

const isLater = (time: Date | null, than: Date | null): boolean =>
  than !== null && (time === null || time > than);

export const refused = (param: string, message: string): GatewayError =>
  new GatewayError('invalidRequest', message, { param });
