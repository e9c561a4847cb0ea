import { type Database } from '@svc/database';

/** Sums over all organizations, for metrics. */
export class PaymentFigures {
  constructor(private readonly database: Database) {}

  async inReview(): Promise<number> {
    return this.database.prisma.payment.count({ where: { state: 'review' } });
  }

  /** Nano-dollars. */
  async owed(): Promise<bigint> {
    const { rows } = await this.database.pool.query<{ owed: string }>(
      'SELECT coalesce(sum(owed_nanos), 0)::text AS owed FROM wallets WHERE owed_nanos > 0',
    );
    return BigInt(rows[0]?.owed ?? 0);
  }
}
