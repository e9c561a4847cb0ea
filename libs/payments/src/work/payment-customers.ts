import { type Database } from '@svc/database';
import { type PaymentProvider } from '../rules/provider';

/** Organizations, as the payment provider knows them. */
export class PaymentCustomers {
  constructor(
    private readonly database: Database,
    private readonly provider: Pick<PaymentProvider, 'livemode' | 'newCustomer'>,
  ) {}

  /** The provider's id of an organization: always the first that was stored. @throws ProviderUnavailable */
  async referenceOf(organizationId: string): Promise<string> {
    const { prisma } = this.database;
    const { livemode } = this.provider;
    const where = { organizationId_livemode: { organizationId, livemode } };
    const known = await prisma.paymentCustomer.findUnique({ where });
    if (known !== null) return known.providerReference;
    const made = await this.provider.newCustomer(organizationId);
    // Of two that ask at once, the first to store decides for both.
    await prisma.$executeRaw`
      INSERT INTO payment_customers (organization_id, livemode, provider_reference)
      VALUES (${organizationId}, ${livemode}, ${made}) ON CONFLICT DO NOTHING`;
    return (await prisma.paymentCustomer.findUniqueOrThrow({ where })).providerReference;
  }
}
