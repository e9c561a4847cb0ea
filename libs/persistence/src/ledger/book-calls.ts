import { type Database } from '../database/database';
import { type HoldDecisionRow } from './hold-decision';
import { type SettlementRow } from './settlement';

/** A hold or a settlement, as the SQL functions read it. */
export type Booking =
  | { readonly kind: 'hold'; readonly row: object }
  | { readonly kind: 'settlement'; readonly row: SettlementRow };

/** What became of one: of a hold the decision, of a settlement whether it was the one that counted. */
export interface Booked extends HoldDecisionRow {
  readonly settled: boolean | null;
}

const HOLDS = {
  name: 'open_holds',
  text: `SELECT NULL::boolean AS settled, held_nanos, refused_budget_id, refused_budget_name, warning_bps
         FROM open_holds($1::jsonb)`,
};
const SETTLEMENTS = {
  name: 'settle_requests',
  text: `SELECT settled, NULL::bigint AS held_nanos, NULL AS refused_budget_id, NULL AS refused_budget_name,
           NULL::numeric AS warning_bps
         FROM settle_requests($1::jsonb)`,
};
const BOTH = {
  name: 'book_calls',
  text: `SELECT settled, held_nanos, refused_budget_id, refused_budget_name, warning_bps
         FROM book_calls($1::jsonb, $2::jsonb)`,
};

/** Books all of them in one transaction. @returns what became of each, in their order. */
export async function bookCalls(
  database: Database,
  bookings: readonly Booking[],
): Promise<readonly Booked[]> {
  const settlements: object[] = [];
  const holds: object[] = [];
  for (const { kind, row } of bookings) (kind === 'hold' ? holds : settlements).push(row);
  const { rows } = await database.books.query<Booked>(statementFor(settlements, holds));
  // The settlements are answered first, then the holds.
  let settlementAt = 0;
  let holdAt = settlements.length;
  return bookings.map(({ kind }) => rows[kind === 'hold' ? holdAt++ : settlementAt++] as Booked);
}

function statementFor(settlements: readonly object[], holds: readonly object[]) {
  if (settlements.length === 0) return { ...HOLDS, values: [JSON.stringify(holds)] };
  if (holds.length === 0) return { ...SETTLEMENTS, values: [JSON.stringify(settlements)] };
  return { ...BOTH, values: [JSON.stringify(settlements), JSON.stringify(holds)] };
}
