import { type Database, Outbox, prismaOf, type Transaction, UnitOfWork } from '@svc/database';
import { type Prisma } from '@svc/database/rows';
import { recordEvent } from '@svc/events';
import { type Clock, GatewayError, nanos, type Nanos, nanosToJson, type NewId } from '@svc/kernel';
import { systemClock, systemIds } from '@svc/runtime';

export interface CreditGrant {
  readonly id: string;
  readonly organizationId: string;
  readonly amount: Nanos;
  readonly reason: string;
  readonly createdAt: Date;
}

interface Credit {
  readonly organizationId: string;
  readonly amount: Nanos;
  readonly reason: string;
  readonly idempotencyKey: string | null;
  readonly kind: 'credit_grant' | 'top_up';
  readonly debitAccount: 'platform:credit' | 'platform:cash';
  readonly paymentId: string | null;
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
   * @throws GatewayError `invalidRequest` for an amount that is not positive, or a balance above the largest exact JSON
   * integer; `notFound` for an unknown organization.
   */
  credit(organizationId: string, amount: Nanos, reason: string): Promise<CreditGrant> {
    return new UnitOfWork(this.database).transaction((tx) =>
      this.creditWithin(tx, organizationId, amount, reason),
    );
  }

  /**
   * As {@link credit}, within a larger transaction.
   * @param idempotencyKey finds the grant again; null for a grant without one.
   */
  creditWithin(
    tx: Transaction,
    organizationId: string,
    amount: Nanos,
    reason: string,
    idempotencyKey: string | null = null,
  ): Promise<CreditGrant> {
    const source = { kind: 'credit_grant', debitAccount: 'platform:credit', paymentId: null } as const;
    return this.book(tx, { organizationId, amount, reason, idempotencyKey, ...source });
  }

  /** Credits a payment that the provider confirmed. The database refuses a second credit of the same payment. */
  topUpWithin(
    tx: Transaction,
    {
      id,
      organizationId,
      amount,
    }: { readonly id: string; readonly organizationId: string; readonly amount: Nanos },
  ): Promise<CreditGrant> {
    const source = { kind: 'top_up', debitAccount: 'platform:cash', paymentId: id } as const;
    return this.book(tx, { organizationId, amount, reason: 'Top-up', idempotencyKey: null, ...source });
  }

  private async book(
    tx: Transaction,
    { organizationId, amount, reason, idempotencyKey, kind, debitAccount, paymentId }: Credit,
  ): Promise<CreditGrant> {
    if (amount <= 0n || amount > BALANCE_MAX)
      throw refused('A credit must be a positive amount of nano-dollars');
    const prisma = prismaOf(tx);
    if ((await prisma.organization.count({ where: { id: organizationId } })) === 0) {
      throw new GatewayError('notFound', 'There is no such organization.');
    }
    const grant = await prisma.creditGrant.create({
      data: { id: this.newId('creditGrant'), organizationId, amountNanos: amount, reason, idempotencyKey },
    });
    await prisma.ledgerTransfer.create({
      data: {
        id: this.newId('walletTransaction'),
        organizationId,
        debitAccount,
        creditAccount: `wallet:${organizationId}`,
        amountNanos: amount,
        kind,
        creditGrantId: grant.id,
        paymentId,
      },
    });
    // Comes last, because calls of the organization wait from here to the commit.
    const balance = await this.raiseBalance(prisma, organizationId, amount);
    await this.outbox.append(
      tx,
      recordEvent(this.newId('event'), 'wallet.credit_granted', organizationId, this.clock.now(), {
        credit_grant_id: grant.id,
        amount_nanos: nanosToJson(amount),
        balance_nanos: nanosToJson(balance),
      }),
    );
    return toGrant(grant);
  }

  /** The grant with this key. The transaction must have locked the organization, so that none is made meanwhile. */
  async findGrantByKey(
    tx: Transaction,
    organizationId: string,
    idempotencyKey: string,
  ): Promise<CreditGrant | null> {
    const row = await prismaOf(tx).creditGrant.findUnique({
      where: { organizationId_idempotencyKey: { organizationId, idempotencyKey } },
    });
    return row && toGrant(row);
  }

  /**
   * One conditional statement, so that no concurrent credit is lost, and none raises the balance beyond an exact JSON
   * integer.
   */
  private async raiseBalance(
    prisma: Prisma.TransactionClient,
    organizationId: string,
    amount: Nanos,
  ): Promise<Nanos> {
    const rows = await prisma.$queryRaw<{ balance: bigint }[]>`
      INSERT INTO wallets AS w (organization_id, balance_nanos)
      SELECT id, ${amount}::bigint FROM organizations WHERE id = ${organizationId}
      ON CONFLICT (organization_id) DO UPDATE SET balance_nanos = w.balance_nanos + excluded.balance_nanos
        WHERE w.balance_nanos <= ${BALANCE_MAX - amount}::bigint
      RETURNING balance_nanos AS balance`;
    const [raised] = rows;
    if (raised === undefined) throw refused('With this credit the wallet would hold too much');
    return nanos(raised.balance);
  }
}

export const toGrant = ({
  id,
  organizationId,
  amountNanos,
  reason,
  createdAt,
}: Omit<Prisma.CreditGrantGetPayload<object>, 'idempotencyKey'>): CreditGrant => ({
  id,
  organizationId,
  amount: nanos(amountNanos),
  reason,
  createdAt,
});

/** The largest integer that JSON says exactly. */
export const BALANCE_MAX = BigInt(Number.MAX_SAFE_INTEGER);

const refused = (why: string): GatewayError =>
  new GatewayError('invalidRequest', `${why} (at most ${String(BALANCE_MAX)} in all).`, {
    param: 'amount_nanos',
  });
