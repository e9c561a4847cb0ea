import {
  maxNanos,
  nanos,
  subtractNanos,
  timeOfId,
  ZERO_NANOS,
  type Nanos,
  type Page,
  type Slice,
} from '@svc/kernel';
import { type Database } from '../database/database';
import { olderThan, pageArguments, sliceOf } from '../database/page';
import { Prisma } from '../generated/prisma/client';
import { isAnyOf, readHistory, type CreatedWithin, type HistoryTable } from '../history/history-page';
import { toGrant, type CreditGrant } from './wallet-store';

export interface WalletBalance {
  readonly balance: Nanos;
  /** The part of the balance that calls in flight may still cost. */
  readonly held: Nanos;
  /** What refunds and disputes still take. */
  readonly owed: Nanos;
  /** What new calls can hold. */
  readonly available: Nanos;
}

export const walletTransactionKinds = ['credit_grant', 'charge', 'top_up', 'refund', 'dispute'] as const;
type WalletTransactionKind = (typeof walletTransactionKinds)[number];

/** A change of the balance: the wallet's side of a ledger transfer. */
export interface WalletTransaction {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: WalletTransactionKind;
  /** Negative where it left the wallet. The sum of all is the balance. */
  readonly amount: Nanos;
  readonly requestId: string | null;
  readonly creditGrantId: string | null;
  readonly paymentId: string | null;
  /** When it was booked: the time in its id. The history is sorted and filtered by it. */
  readonly createdAt: Date;
}

interface TransactionFilter extends CreatedWithin {
  readonly kinds?: readonly WalletTransaction['kind'][] | undefined;
}

/** A wallet by its three figures. What is owed is available to nobody. */
export const walletBalance = (balance: Nanos, held: Nanos, owed: Nanos): WalletBalance => ({
  balance,
  held,
  owed,
  available: maxNanos(ZERO_NANOS, subtractNanos(subtractNanos(balance, held), owed)),
});

/** An organization's wallet, for display. */
export class WalletReading {
  constructor(private readonly database: Database) {}

  /** An organization that never had credit has no wallet; its balance is zero. */
  async balance(organizationId: string): Promise<WalletBalance> {
    const wallet = await this.database.prisma.wallet.findUnique({ where: { organizationId } });
    const balance = nanos(wallet?.balanceNanos ?? ZERO_NANOS);
    const held = nanos(wallet?.heldNanos ?? ZERO_NANOS);
    return walletBalance(balance, held, nanos(wallet?.owedNanos ?? ZERO_NANOS));
  }

  async listGrants(organizationId: string, page: Page): Promise<Slice<CreditGrant>> {
    const rows = await this.database.prisma.creditGrant.findMany({
      ...pageArguments(page),
      where: { organizationId, ...olderThan(page) },
    });
    return sliceOf(rows, page, toGrant);
  }

  async findGrant(organizationId: string, id: string): Promise<CreditGrant | null> {
    const row = await this.database.prisma.creditGrant.findFirst({ where: { organizationId, id } });
    return row && toGrant(row);
  }

  /** Newest first. The platform's losses touch no wallet, and are not listed. */
  async listTransactions(
    organizationId: string,
    page: Page,
    { kinds, ...within }: TransactionFilter,
  ): Promise<Slice<WalletTransaction>> {
    const ofKinds = kinds === undefined ? [] : [isAnyOf(Prisma.sql`kind`, kinds)];
    const query = { organizationId, page, within, conditions: [touchesWallet, ...ofKinds] };
    const { items, ...rest } = await readHistory<Row>(this.database, ledgerTransfers, query);
    return { ...rest, items: items.map(toTransaction) };
  }

  async findTransaction(organizationId: string, id: string): Promise<WalletTransaction | null> {
    const [row] = await this.database.prisma.$queryRaw<Row[]>`
      SELECT ${columns} FROM ledger_transfers
      WHERE organization_id = ${organizationId} AND id = ${id} AND ${touchesWallet}`;
    return row === undefined ? null : toTransaction(row);
  }
}

const columns = Prisma.sql`id, organization_id AS "organizationId", kind, request_id AS "requestId",
  credit_grant_id AS "creditGrantId", payment_id AS "paymentId",
  CASE credit_account WHEN 'wallet:' || organization_id THEN amount_nanos ELSE -amount_nanos END AS amount`;

export const touchesWallet = Prisma.sql`'wallet:' || organization_id IN (debit_account, credit_account)`;

export const ledgerTransfers: HistoryTable = {
  name: Prisma.sql`ledger_transfers`,
  idKind: 'walletTransaction',
  columns,
};

type Row = Omit<WalletTransaction, 'amount' | 'createdAt'> & { readonly amount: bigint };

const toTransaction = ({ amount, ...row }: Row): WalletTransaction => ({
  id: row.id,
  organizationId: row.organizationId,
  kind: row.kind,
  amount: nanos(amount),
  requestId: row.requestId,
  creditGrantId: row.creditGrantId,
  paymentId: row.paymentId,
  createdAt: new Date(timeOfId(row.id)),
});
