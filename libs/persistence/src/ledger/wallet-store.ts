import { recordEvent } from '@svc/events';
import { type Clock, GatewayError, nanos, type Nanos, nanosToJson, type NewId } from '@svc/kernel';
import { systemClock, systemIds } from '@svc/platform';
import { type Database } from '../database/database';
import { prismaOf, type Transaction, UnitOfWork } from '../database/unit-of-work';
import { Prisma } from '../generated/prisma/client';
import { Outbox } from '../outbox/outbox';

export interface CreditGrant {
  readonly id: string;
  readonly organizationId: string;
  readonly amount: Nanos;
  readonly reason: string;
  readonly createdAt: Date;
}

export class WalletStore {
  private readonly outbox = new Outbox();

  constructor(
    private readonly database: Database,
    private readonly newId: NewId = systemIds,
    private readonly clock: Clock = systemClock,
  ) {}

  /**
   * Gives an organization credit: wallet, grant, ledger and `wallet.credit_granted` together.
   * @throws GatewayError `invalidRequest` for an amount that is not positive, or a balance that would be no JSON
   * integer; `notFound` for an unknown organization.
   */
  credit(organizationId: string, amount: Nanos, reason: string): Promise<CreditGrant> {
    return new UnitOfWork(this.database).transaction((tx) =>
      this.creditWithin(tx, organizationId, amount, reason),
    );
  }

  /** The same as part of a larger transaction. */
  async creditWithin(
    tx: Transaction,
    organizationId: string,
    amount: Nanos,
    reason: string,
  ): Promise<CreditGrant> {
    if (amount <= 0n || amount > BALANCE_MAX)
      throw refused('A credit must be a positive amount of nano-dollars');
    const prisma = prismaOf(tx);
    const balance = await this.raiseBalance(prisma, organizationId, amount);
    if (balance > BALANCE_MAX) throw refused('With this credit the wallet would hold too much');
    const grant = await prisma.creditGrant.create({
      data: { id: this.newId('creditGrant'), organizationId, amountNanos: amount, reason },
    });
    await prisma.ledgerTransfer.create({
      data: {
        id: this.newId('walletTransaction'),
        organizationId,
        debitAccount: 'platform:credit',
        creditAccount: `wallet:${organizationId}`,
        amountNanos: amount,
        kind: 'credit_grant',
        creditGrantId: grant.id,
      },
    });
    await this.outbox.append(
      tx,
      recordEvent(this.newId('event'), 'wallet.credit_granted', organizationId, this.clock.now(), {
        credit_grant_id: grant.id,
        amount_nanos: nanosToJson(amount),
        balance_nanos: nanosToJson(balance),
      }),
    );
    return { id: grant.id, organizationId, amount, reason, createdAt: grant.createdAt };
  }

  private async raiseBalance(
    prisma: Prisma.TransactionClient,
    organizationId: string,
    amount: Nanos,
  ): Promise<Nanos> {
    try {
      const wallet = await prisma.wallet.upsert({
        where: { organizationId },
        create: { organizationId, balanceNanos: amount },
        update: { balanceNanos: { increment: amount } },
      });
      return nanos(wallet.balanceNanos);
    } catch (error) {
      if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === FOREIGN_KEY_VIOLATION) {
        throw new GatewayError('notFound', 'There is no such organization.', { cause: error });
      }
      throw error;
    }
  }
}

const FOREIGN_KEY_VIOLATION = 'P2003';
const BALANCE_MAX = BigInt(Number.MAX_SAFE_INTEGER);

const refused = (why: string): GatewayError =>
  new GatewayError('invalidRequest', `${why} (at most ${String(BALANCE_MAX)} in all).`, {
    param: 'amount_nanos',
  });
