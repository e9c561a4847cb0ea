import { prismaOf, type Transaction } from '@svc/database';
import { type GrantFacts } from '../../rules/oauth/grant-facts';

/** GrantFacts, in a query that joins {@link STANDING_JOINS} to `oauth_grants g`. */
export const STANDING_COLUMNS = `g.state AS "grantState", g.scopes AS "grantScopes", a.state AS "appState",
  a.scopes AS "appScopes", o.state AS "organizationState", CASE WHEN m.state = 'active' THEN m.role END AS "liveRole"`;
export const STANDING_JOINS = `JOIN oauth_apps a ON a.id = g.app_id
  JOIN organizations o ON o.id = g.organization_id
  LEFT JOIN members m ON m.organization_id = g.organization_id AND m.user_id = g.user_id`;

/** A grant whose row the transaction has locked, with the current state of its app and member. */
export interface LockedGrant extends GrantFacts {
  readonly grantId: string;
  readonly organizationId: string;
  readonly userId: string;
  readonly appId: string;
  readonly clientId: string;
  readonly redirectUris: readonly string[];
}

/**
 * Locks the grant's row. Whatever issues, rotates or revokes tokens of a grant holds this lock while it reads and
 * writes. So of two concurrent requests the second sees the changes of the first. A transaction that changes both locks
 * apps and members before grants.
 */
export async function lockGrant(tx: Transaction, grantId: string): Promise<LockedGrant | null> {
  const prisma = prismaOf(tx);
  await prisma.$queryRaw`SELECT id FROM oauth_grants WHERE id = ${grantId} FOR UPDATE`;
  // A separate statement, which sees everything committed while the first one waited.
  const rows = await prisma.$queryRawUnsafe<LockedGrant[]>(
    `SELECT g.id AS "grantId", g.organization_id AS "organizationId", g.user_id AS "userId", g.app_id AS "appId",
       a.client_id AS "clientId", a.redirect_uris AS "redirectUris", ${STANDING_COLUMNS}
     FROM oauth_grants g ${STANDING_JOINS} WHERE g.id = $1`,
    grantId,
  );
  return rows[0] ?? null;
}
