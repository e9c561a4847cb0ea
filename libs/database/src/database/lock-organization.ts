import { type PrismaClient } from '../generated/prisma/client';

/**
 * Locks the organization's row until the transaction ends. Transactions that check a rule over all of it, such as a limit
 * or that an owner is left, then run one after the other. The lock is weaker than `FOR UPDATE`: calls, keys and other
 * rows that only refer to the organization do not wait.
 */
export async function lockOrganization(
  prisma: Pick<PrismaClient, '$queryRaw'>,
  organizationId: string,
): Promise<void> {
  await prisma.$queryRaw`SELECT FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`;
}
