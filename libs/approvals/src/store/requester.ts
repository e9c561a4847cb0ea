import { prismaOf, type Transaction } from '@svc/database';
import { isGrantUsable, remainingScopes, type GrantFacts } from '@svc/access';
import { STANDING_COLUMNS, STANDING_JOINS } from '@svc/access/store';
import { type Requester, type RequesterStanding } from '../rules/gated-call';

/** Keys that made each other, at most. */
const DEPTH_MAX = 1_000;

/**
 * The requester with the person behind it: a key that was made by a key traces to the person who made the first. A key
 * without a known maker came with the organization, and counts as its first member's.
 */
export async function personBehind(
  tx: Transaction,
  organizationId: string,
  requester: Requester,
): Promise<Requester> {
  if (requester.type !== 'api_key') return requester;
  const [found] = await prismaOf(tx).$queryRaw<{ userId: string | null }[]>`
    WITH RECURSIVE makers AS (
      SELECT created_by, 1 AS depth FROM api_keys WHERE id = ${requester.id}
      UNION ALL
      SELECT k.created_by, m.depth + 1 FROM api_keys k JOIN makers m ON k.id = m.created_by WHERE m.depth < ${DEPTH_MAX}
    )
    SELECT coalesce(
      (SELECT u.id FROM makers m JOIN users u ON u.id = m.created_by LIMIT 1),
      (SELECT user_id FROM members WHERE organization_id = ${organizationId} ORDER BY id LIMIT 1)) AS "userId"`;
  return { ...requester, userId: found?.userId ?? null };
}

/**
 * Permissions of the requester at this moment. An expired session or access token does not matter: the membership, the key
 * or the grant does.
 */
export async function standingOf(
  tx: Transaction,
  organizationId: string,
  { type, id, userId }: Requester,
): Promise<RequesterStanding> {
  const prisma = prismaOf(tx);
  if (type === 'api_key') {
    const [key] = await prisma.$queryRaw<{ scopes: string[]; projectId: string | null }[]>`
      SELECT k.scopes, k.project_id AS "projectId" FROM api_keys k JOIN organizations o ON o.id = k.organization_id
      WHERE k.id = ${id} AND k.organization_id = ${organizationId} AND k.state = 'active' AND o.state = 'active'
        AND (k.expires_at IS NULL OR k.expires_at > now())`;
    return key === undefined ? null : { kind: 'api_key', ...key };
  }
  if (type === 'user') {
    const [member] = await prisma.$queryRaw<{ role: string }[]>`
      SELECT m.role FROM members m JOIN organizations o ON o.id = m.organization_id
      WHERE m.organization_id = ${organizationId} AND m.user_id = ${userId} AND m.state = 'active' AND o.state = 'active'`;
    return member === undefined ? null : { kind: 'user', ...member };
  }
  const [grant] = await prisma.$queryRawUnsafe<GrantFacts[]>(
    `SELECT ${STANDING_COLUMNS} FROM oauth_grants g ${STANDING_JOINS}
     WHERE g.organization_id = $1 AND g.user_id = $2 AND g.app_id = $3`,
    organizationId,
    userId,
    id,
  );
  if (grant === undefined || grant.liveRole === null || !isGrantUsable(grant)) return null;
  return { kind: 'oauth_app', role: grant.liveRole, scopes: remainingScopes(grant.grantScopes, grant) };
}
