import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { Client } from 'pg';
import { type BilledTokens } from './expected-charge';
import { type AnySvc } from './svc-process';

export interface Books {
  readonly balanceNanos: bigint;
  readonly heldNanos: bigint;
  /** The sum of all entries of the wallet's account. */
  readonly walletEntriesNanos: bigint;
  /** The sum over all accounts; anything but zero means that the ledger is broken. */
  readonly allEntriesNanos: bigint;
  readonly creditedNanos: bigint;
  readonly chargedNanos: bigint;
}

interface RecordedCall {
  readonly id: string;
  readonly status: string;
  readonly heldNanos: bigint;
  readonly customerNanos: bigint;
  /** The cost beyond the hold of the call: the platform's loss. */
  readonly overrunNanos: bigint;
  readonly billed: BilledTokens;
  readonly costState: string | null;
}

/** Reads the books of one organization from the database; changes only its rate limits. */
export interface LedgerAudit {
  books(): Promise<Books>;
  /** Request records, oldest first. */
  calls(): Promise<RecordedCall[]>;
  /** Charges by request id. */
  charges(): Promise<Map<string, bigint[]>>;
  /** Call this before the key's first use: the service caches keys. */
  raiseKeyLimits(): Promise<void>;
  close(): Promise<void>;
}

export async function openLedgerAudit(svc: AnySvc): Promise<LedgerAudit> {
  const connectionString = (await readFile(join(svc.dataDir, 'database-url'), 'utf8')).trim();
  const client = new Client({ connectionString });
  // A killed service ends its database too; the next query gets the error.
  client.on('error', () => undefined);
  await client.connect();
  const rows = async (sql: string) =>
    (await client.query<Record<string, string>>(sql, [svc.organizationId])).rows;
  return {
    books: async () => booksOf((await rows(BOOKS))[0] ?? {}),
    calls: async () => (await rows(CALLS)).map(callOf),
    charges: async () => chargesByCall(await rows(CHARGES)),
    raiseKeyLimits: async () => void (await rows(RAISE_LIMITS)),
    close: () => client.end(),
  };
}

const BOOKS = `
  select w.balance_nanos, w.held_nanos,
    (select coalesce(sum(case when credit_account = 'wallet:' || $1 then amount_nanos else -amount_nanos end), 0)
       from ledger_transfers where 'wallet:' || $1 in (credit_account, debit_account)) as wallet_entries,
    (select coalesce(sum(amount_nanos), 0) from ledger_entries) as all_entries,
    (select coalesce(sum(amount_nanos), 0) from ledger_transfers where organization_id = $1 and kind = 'credit_grant') as credited,
    (select coalesce(sum(amount_nanos), 0) from ledger_transfers where organization_id = $1 and kind = 'charge') as charged
  from wallets w where w.organization_id = $1`;

const CALLS = `
  select id, status, held_nanos, customer_nanos, overrun_nanos, cost_state,
    input_tokens, cached_input_tokens, cache_write_tokens, output_tokens
  from request_records where organization_id = $1 order by id`;

const CHARGES = `
  select request_id, amount_nanos from ledger_transfers where organization_id = $1 and kind = 'charge'`;

const RAISE_LIMITS = `
  update api_keys set rate_limit_rpm = 6000, rate_limit_tpm = 10000000 where organization_id = $1`;

const booksOf = (row: Record<string, string>): Books => ({
  balanceNanos: BigInt(row.balance_nanos ?? 0),
  heldNanos: BigInt(row.held_nanos ?? 0),
  walletEntriesNanos: BigInt(row.wallet_entries ?? 0),
  allEntriesNanos: BigInt(row.all_entries ?? 0),
  creditedNanos: BigInt(row.credited ?? 0),
  chargedNanos: BigInt(row.charged ?? 0),
});

const callOf = (row: Record<string, string>): RecordedCall => ({
  id: row.id ?? '',
  status: row.status ?? '',
  heldNanos: BigInt(row.held_nanos ?? 0),
  customerNanos: BigInt(row.customer_nanos ?? 0),
  overrunNanos: BigInt(row.overrun_nanos ?? 0),
  billed: {
    input: Number(row.input_tokens),
    cachedInput: Number(row.cached_input_tokens),
    cacheWrite: Number(row.cache_write_tokens),
    output: Number(row.output_tokens),
  },
  costState: row.cost_state ?? null,
});

function chargesByCall(rows: readonly Record<string, string>[]): Map<string, bigint[]> {
  const charges = new Map<string, bigint[]>();
  for (const row of rows) {
    const id = row.request_id ?? '';
    charges.set(id, [...(charges.get(id) ?? []), BigInt(row.amount_nanos ?? 0)]);
  }
  return charges;
}
