import { failureKind, type Database } from '@svc/database';
import { type HoldDecisionRow } from './hold-decision';
import { type HoldRow } from './hold-request';
import { type SettlementRow } from './settlement';

export interface HoldBooking {
  readonly kind: 'hold';
  readonly row: HoldRow;
  /** True where it was sent, so that the hold may be open even if the answer is lost. */
  isSent: boolean;
  /** True where its caller got a failure, so that it is no longer sent. */
  isGivenUp: boolean;
}

/** A hold or a settlement on its way to the books. */
export type Booking = HoldBooking | { readonly kind: 'settlement'; readonly row: SettlementRow };

/** The result of a booking: the decision on a hold, or whether the settlement counted. */
export interface Booked extends HoldDecisionRow {
  readonly settled: boolean | null;
}

const BOOK_CALLS = {
  name: 'book_calls',
  text: `SELECT settled, held_nanos, budget_held_nanos, refused_budget_id, refused_budget_name, warning_bps
         FROM book_calls($1::jsonb, $2::jsonb, $3::boolean, $4::text[])`,
};

const NOT_SENT: Booked = {
  settled: null,
  held_nanos: null,
  budget_held_nanos: null,
  refused_budget_id: null,
  refused_budget_name: null,
  warning_bps: null,
};

interface BookingOptions {
  /** Whether to wait for locked wallets. Otherwise the error names them, and nothing is booked. */
  readonly waits: boolean;
}

/** Books all of them in one transaction. @returns their results, in the same order. */
export async function bookCalls(
  pool: Database['pool'],
  bookings: readonly Booking[],
  { waits }: BookingOptions,
): Promise<readonly Booked[]> {
  const settlements: SettlementRow[] = [];
  const holds: HoldRow[] = [];
  const givenUp = new Set<Booking>();
  const organizations = new Set<string>();
  for (const booking of bookings) {
    if (booking.kind === 'settlement') settlements.push(booking.row);
    else if (booking.isGivenUp) givenUp.add(booking);
    else {
      booking.isSent = true;
      holds.push(booking.row);
    }
    organizations.add(booking.row.organization_id);
  }
  if (givenUp.size === bookings.length) return bookings.map(() => NOT_SENT);
  const values = [jsonOf(settlements), jsonOf(holds), waits, [...organizations]];
  const { rows } = await pool.query<Booked>({ ...BOOK_CALLS, values }).catch((error: unknown) => {
    if (failureKind(error) !== 'connection') takeBack(bookings);
    throw error;
  });
  // The rows of the settlements come first, then those of the holds.
  let settlementAt = 0;
  let holdAt = settlements.length;
  return bookings.map((booking) => {
    if (givenUp.has(booking)) return NOT_SENT;
    return rows[booking.kind === 'settlement' ? settlementAt++ : holdAt++] as Booked;
  });
}

/** The server reported that it booked nothing. */
function takeBack(bookings: readonly Booking[]): void {
  for (const booking of bookings) if (booking.kind === 'hold') booking.isSent = false;
}

const jsonOf = (rows: readonly object[]): string | null => (rows.length === 0 ? null : JSON.stringify(rows));
