import { prismaOf, type Transaction } from '@svc/database';

/**
 * Revokes every live token of these grants, whose rows the transaction has locked. A rotated refresh token stays
 * rotated, so that its reuse is still detected.
 * @returns how many were revoked.
 */
export async function revokeTokensOf(
  tx: Transaction,
  grantIds: readonly string[],
  revokedAt: Date,
): Promise<number> {
  const prisma = prismaOf(tx);
  const where = { grantId: { in: [...grantIds] }, revokedAt: null };
  const access = await prisma.accessToken.updateMany({ where, data: { revokedAt } });
  const refresh = await prisma.refreshToken.updateMany({
    where: { ...where, rotatedAt: null },
    data: { revokedAt },
  });
  return access.count + refresh.count;
}

/** Revokes the tokens and codes of revoked grants, so that a new consent does not make old ones valid again. */
export async function revokeAllOf(
  tx: Transaction,
  grantIds: readonly string[],
  revokedAt: Date,
): Promise<void> {
  await prismaOf(tx).authorizationCode.updateMany({
    where: { grantId: { in: [...grantIds] }, consumedAt: null },
    data: { consumedAt: revokedAt },
  });
  await revokeTokensOf(tx, grantIds, revokedAt);
}

/**
 * Revokes active grants with their tokens, in the order of their ids, so that two transactions never deadlock.
 * @returns the grants that this call revoked.
 */
export async function revokeGrantsWhere(
  tx: Transaction,
  where: { readonly appId: string } | { readonly organizationId: string; readonly userId: string },
  revokedAt: Date,
): Promise<readonly string[]> {
  const prisma = prismaOf(tx);
  const locked =
    'appId' in where
      ? await prisma.$queryRaw<{ id: string }[]>`
          SELECT id FROM oauth_grants WHERE app_id = ${where.appId} AND state = 'active' ORDER BY id FOR UPDATE`
      : await prisma.$queryRaw<{ id: string }[]>`
          SELECT id FROM oauth_grants WHERE organization_id = ${where.organizationId} AND user_id = ${where.userId}
            AND state = 'active' ORDER BY id FOR UPDATE`;
  const ids = locked.map(({ id }) => id);
  await prisma.oauthGrant.updateMany({
    where: { id: { in: ids } },
    data: { state: 'revoked', revokedAt },
  });
  await revokeAllOf(tx, ids, revokedAt);
  return ids;
}
