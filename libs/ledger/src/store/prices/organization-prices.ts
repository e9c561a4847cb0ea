import { type Database, prismaOf, type Transaction } from '@svc/database';
import { type OrganizationPrices } from '../../rules/prices/organization-prices';

/** The prices of organizations now. Edges read it with the policy of their calls. */
export class OrganizationPriceStore {
  /** @param defaults of the platform */
  constructor(
    private readonly database: Database,
    readonly defaults: OrganizationPrices,
  ) {}

  /** @param tx reads within it */
  async of(organizationId: string, tx?: Transaction): Promise<OrganizationPrices> {
    const prisma = tx === undefined ? this.database.prisma : prismaOf(tx);
    const set = await prisma.organization.findUnique({
      where: { id: organizationId },
      select: { priceBps: true, ownCredentialBps: true },
    });
    return {
      priceBps: set?.priceBps ?? this.defaults.priceBps,
      ownCredentialBps: set?.ownCredentialBps ?? this.defaults.ownCredentialBps,
    };
  }
}
