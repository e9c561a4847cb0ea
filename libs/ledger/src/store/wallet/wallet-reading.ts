import {
  type CreatedWithin,
  type Database,
  type HistoryTable,
  isAnyOf,
  olderThan,
  pageArguments,
  readHistory,
  SCAN_MAX,
  sliceOf,
} from '@svc/database';
import { Prisma } from '@svc/database/rows';
import {
  idPrefixes,
  maxNanos,
  nanos,
  subtractNanos,
  timeOfId,
  ZERO_NANOS,
  type Nanos,
  type Page,
  type Slice,
} from '@svc/kernel';
import { toGrant, type CreditGrant } from './wallet-store';

export interface WalletBalance {
  readonly balance: Nanos;
  /** The part of the balance that calls in flight may still cost. */
  readonly held: Nanos;
  /** The amount that refunds and disputes still take. */
  readonly owed: Nanos;
  /** The amount that new calls can hold. */
  readonly available: Nanos;
}

export const walletTransactionKinds = [
  'credit_grant',
  'charge',
  'top_up',
  'refund',
  'dispute',
  'fine_tuning',
  'fine_tuning_endpoint',
] as const;
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
  /** The job whose training was charged. */
  readonly fineTuningJobId: string | null;
  /** The endpoint whose time was charged. */
  readonly fineTuningEndpointId: string | null;
  /** The balance once it was booked; null where more than `SCAN_MAX` transfers are newer. */
  readonly balanceAfter: Nanos | null;
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

  /** Those that the operator gave. What was paid for is a grant too. */
  async listGivenGrants(organizationId: string, page: Page): Promise<Slice<CreditGrant>> {
    const before = page.before === null ? Prisma.empty : Prisma.sql`AND g.id < ${page.before}`;
    const rows = await this.database.prisma.$queryRaw<GrantRow[]>`
      SELECT g.id, g.organization_id AS "organizationId", g.amount_nanos AS "amountNanos", g.reason,
        g.created_at AS "createdAt"
      FROM credit_grants g
      WHERE g.organization_id = ${organizationId} ${before}
        AND EXISTS (SELECT FROM ledger_transfers t WHERE t.credit_grant_id = g.id AND t.kind = 'credit_grant')
      ORDER BY g.organization_id DESC, g.id DESC LIMIT ${page.limit + 1}`;
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
    return { ...rest, items: await this.withBalances(organizationId, items) };
  }

  async findTransaction(organizationId: string, id: string): Promise<WalletTransaction | null> {
    const [row] = await this.database.prisma.$queryRaw<Row[]>`
      SELECT ${columns} FROM ledger_transfers
      WHERE organization_id = ${organizationId} AND id = ${id} AND ${touchesWallet}`;
    const [found] = await this.withBalances(organizationId, row === undefined ? [] : [row]);
    return found ?? null;
  }

  /**
   * The balance after each is the balance now without what is newer, read by one statement: a charge between two would be
   * in one of them alone. What it adds up is bounded, as the scan of a page is.
   */
  private async withBalances(
    organizationId: string,
    rows: readonly Row[],
  ): Promise<readonly WalletTransaction[]> {
    const oldest = rows.at(-1)?.id;
    if (oldest === undefined) return [];
    const found = await this.database.prisma.$queryRaw<{ id: string; balance: bigint }[]>`
      SELECT id, balance FROM (
        SELECT t.id, (w.balance_nanos - coalesce(sum(t.amount) OVER newer, 0))::bigint AS balance
        FROM (
          SELECT id, organization_id, CASE 'wallet:' || organization_id
            WHEN credit_account THEN amount_nanos WHEN debit_account THEN -amount_nanos ELSE 0 END AS amount
          FROM ledger_transfers
          WHERE (organization_id, id) >= (${organizationId}, ${oldest})
            AND (organization_id, id) < (${organizationId}, ${AFTER_ALL})
          ORDER BY organization_id DESC, id DESC LIMIT ${SCAN_MAX}
        ) t JOIN wallets w ON w.organization_id = t.organization_id
        WINDOW newer AS (ORDER BY t.id DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
      ) balances WHERE ${isAnyOf(
        Prisma.sql`id`,
        rows.map(({ id }) => id),
      )}`;
    const balances = new Map(found.map(({ id, balance }) => [id, balance]));
    return rows.map((row) => toTransaction(row, balances.get(row.id)));
  }
}

type GrantRow = Parameters<typeof toGrant>[0];

const AFTER_ALL = `${idPrefixes.walletTransaction}_${'z'.repeat(26)}`;

const columns = Prisma.sql`id, organization_id AS "organizationId", kind, request_id AS "requestId",
  credit_grant_id AS "creditGrantId", payment_id AS "paymentId",
  CASE kind WHEN 'fine_tuning' THEN hold_id END AS "fineTuningJobId",
  CASE kind WHEN 'fine_tuning_endpoint' THEN split_part(hold_id, '.', 1) END AS "fineTuningEndpointId",
  CASE credit_account WHEN 'wallet:' || organization_id THEN amount_nanos ELSE -amount_nanos END AS amount`;

export const touchesWallet = Prisma.sql`'wallet:' || organization_id IN (debit_account, credit_account)`;

export const ledgerTransfers: HistoryTable = {
  name: Prisma.sql`ledger_transfers`,
  idKind: 'walletTransaction',
  columns,
};

type Row = Omit<WalletTransaction, 'amount' | 'balanceAfter' | 'createdAt'> & { readonly amount: bigint };

const toTransaction = ({ amount, ...row }: Row, balance: bigint | undefined): WalletTransaction => ({
  id: row.id,
  organizationId: row.organizationId,
  kind: row.kind,
  amount: nanos(amount),
  requestId: row.requestId,
  creditGrantId: row.creditGrantId,
  paymentId: row.paymentId,
  fineTuningJobId: row.fineTuningJobId,
  fineTuningEndpointId: row.fineTuningEndpointId,
  balanceAfter: balance === undefined ? null : nanos(balance),
  createdAt: new Date(timeOfId(row.id)),
});
