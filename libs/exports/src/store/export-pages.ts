import { auditEntries, type Database, type HistoryTable, idRange, SCAN_MAX } from '@svc/database';
import { Prisma } from '@svc/database/rows';
import { nanos, timeOfId, type IdKind } from '@svc/kernel';
import { ledgerTransfers, requestRecords, touchesWallet } from '@svc/ledger/store';
import { countsIn } from '@svc/usage/store';
import { callRow } from '../rules/call-row';
import { PAGE_ROWS } from '../rules/export-kinds';
import { type ExportRow } from '../rules/export-row';
import { auditRow, deliveryRow } from '../rules/history-rows';
import { transactionRow, usageRow } from '../rules/money-rows';
import { attemptsOf, deliveryTable, toDelivery, type DeliveryRow } from './delivery-pages';
import { type ExportLease } from './export-lease';
import { filterConditions } from './filter-conditions';
import { usagePage, type UsagePageRow } from './usage-page';

/** Rows in the order of the file. */
interface ExportPage {
  readonly rowCount: number;
  /** Each is made when it is asked for: a page of them at once would be tens of megabytes. */
  readonly rows: Iterable<ExportRow>;
  /** Where the next page begins. */
  readonly cursor: string | null;
  readonly isLast: boolean;
}

type ExportedRange = Pick<
  ExportLease,
  'kind' | 'organizationId' | 'projectId' | 'start' | 'end' | 'filter' | 'createdAt'
>;

/** The sizes of pages, which specs change. */
interface PageSizes {
  readonly rows?: number;
  readonly scan?: number;
}

/**
 * Reads the rows of exports, a page at a time, oldest first. No transaction is held from one page to the next: rows are taken as they are
 * when they are read. Rows from after the creation of the export are no part of it.
 */
export class ExportPages {
  private readonly rowsMax: number;
  private readonly scanMax: number;

  constructor(
    private readonly database: Database,
    { rows = PAGE_ROWS, scan = SCAN_MAX }: PageSizes = {},
  ) {
    this.rowsMax = rows;
    this.scanMax = scan;
  }

  /** @param cursor of the page before; null for the first. */
  async read(range: ExportedRange, cursor: string | null): Promise<ExportPage> {
    switch (range.kind) {
      case 'requests':
        return this.readById<CallRow>(range, cursor, requestRecords, (row) => callRow(toCall(row)));
      case 'wallet_transactions':
        return this.readById<TransactionRow>(range, cursor, ledgerTransfers, ({ amount, ...row }) =>
          transactionRow({ ...row, amount: nanos(BigInt(amount)), createdAt: timeIn(row.id) }),
        );
      case 'audit_log':
        return this.readById<AuditRow>(range, cursor, auditEntries, ({ actorType, actorId, ...row }) =>
          auditRow({ ...row, actor: { type: actorType, id: actorId }, createdAt: timeIn(row.id) }),
        );
      case 'webhook_deliveries':
        return this.readDeliveries(range, cursor);
      case 'usage':
        return this.readUsage(range, cursor);
    }
  }

  private async readById<Row extends { readonly id: string }>(
    range: ExportedRange,
    cursor: string | null,
    table: HistoryTable,
    toRow: (row: Row) => ExportRow,
  ): Promise<ExportPage> {
    const { rows, ...page } = await this.scan<Row>(range, cursor, table);
    return { ...page, rowCount: rows.length, rows: made(rows, toRow) };
  }

  private async readDeliveries(range: ExportedRange, cursor: string | null): Promise<ExportPage> {
    const { rows, ...page } = await this.scan<DeliveryRow>(range, cursor, deliveryTable);
    const attempts = await attemptsOf(this.database, rows);
    return {
      ...page,
      rowCount: rows.length,
      rows: made(rows, (row) => deliveryRow(toDelivery(row, attempts.get(row.id) ?? []))),
    };
  }

  private async readUsage(range: ExportedRange, cursor: string | null): Promise<ExportPage> {
    const rows = await this.query<UsagePageRow>(usagePage(range, cursor, this.rowsMax));
    const last = rows.at(-1);
    const key = last && [last.day, last.projectId, last.apiKeyId, last.model, last.provider, last.tag];
    return {
      rowCount: rows.length,
      rows: made(rows, (row) => usageRow({ ...row, ...countsIn(row) })),
      cursor: key === undefined ? cursor : JSON.stringify(key),
      isLast: rows.length < this.rowsMax,
    };
  }

  /**
   * One range of the index on (organization_id, id), read until the page is full or so many rows are scanned. The row where the scan ends is
   * always returned, because the next page begins behind it. `historyPage` says why the pair is compared.
   */
  private async scan<Row extends { readonly id: string }>(
    range: ExportedRange,
    cursor: string | null,
    table: HistoryTable,
  ): Promise<Omit<ExportPage, 'rows' | 'rowCount'> & { readonly rows: readonly Row[] }> {
    const { organizationId } = range;
    const { from, to } = boundsOf(range, table.idKind);
    const after =
      cursor === null
        ? Prisma.sql`>= (${organizationId}, ${from})`
        : Prisma.sql`> (${organizationId}, ${cursor})`;
    const rows = await this.query<
      Row & { readonly matches: boolean | null; readonly endsScan: boolean }
    >(Prisma.sql`
      SELECT ${table.columns}, matches, ends_scan AS "endsScan" FROM (
        SELECT *, (${Prisma.join(conditionsOf(range), ' AND ')}) AS matches,
          row_number() OVER (ORDER BY organization_id, id) = ${this.scanMax} AS ends_scan
        FROM ${table.name}
        WHERE (organization_id, id) ${after} AND (organization_id, id) < (${organizationId}, ${to})
        ORDER BY organization_id, id LIMIT ${this.scanMax}
      ) ${table.name}
      WHERE matches OR ends_scan
      ORDER BY organization_id, id LIMIT ${this.rowsMax}`);
    return {
      rows: rows.filter(({ matches }) => matches),
      cursor: rows.at(-1)?.id ?? cursor,
      isLast: rows.length < this.rowsMax && !rows.some(({ endsScan }) => endsScan),
    };
  }

  private async query<Row extends object>({ text, values }: Prisma.Sql): Promise<readonly Row[]> {
    return (await this.database.exports.query<Row>(text, [...values])).rows;
  }
}

function boundsOf({ start, end, createdAt }: ExportedRange, idKind: IdKind) {
  const endMs = Math.min(end?.getTime() ?? Infinity, createdAt.getTime() + 1);
  const within = { createdAfter: start ?? undefined, createdBefore: new Date(endMs) };
  const [from, to] = idRange(idKind, null, within);
  return { from, to };
}

function conditionsOf({ kind, filter, projectId }: ExportedRange): Prisma.Sql[] {
  const ofKind = kind === 'wallet_transactions' ? [touchesWallet] : [];
  const conditions = [...ofKind, ...filterConditions(filter, projectId)];
  return conditions.length === 0 ? [Prisma.sql`true`] : conditions;
}

function* made<Row>(rows: readonly Row[], toRow: (row: Row) => ExportRow): Iterable<ExportRow> {
  for (const row of rows) yield toRow(row);
}

const timeIn = (id: string): Date => new Date(timeOfId(id));

type ShownCall = Parameters<typeof callRow>[0];
/** As the driver gives it: large integers as text. */
type CallRow = Omit<ShownCall, 'createdAt' | 'usage' | 'held' | 'customerNanos' | 'providerNanos'> &
  ShownCall['usage'] & {
    readonly heldNanos: string;
    readonly customerNanos: string;
    readonly providerNanos: string;
  };
type TransactionRow = Omit<Parameters<typeof transactionRow>[0], 'amount' | 'createdAt'> & {
  readonly amount: string;
};
type AuditRow = Omit<Parameters<typeof auditRow>[0], 'actor' | 'createdAt'> & {
  readonly actorType: string;
  readonly actorId: string | null;
};

const toCall = (row: CallRow): ShownCall => ({
  ...row,
  usage: row,
  held: nanos(BigInt(row.heldNanos)),
  customerNanos: nanos(BigInt(row.customerNanos)),
  providerNanos: nanos(BigInt(row.providerNanos)),
  createdAt: timeIn(row.id),
});
