import { type Database } from '@svc/database';
import { DatabaseError, type Pool } from 'pg';
import { holdOf } from '../../testing/ledger-world';
import { type Booked, type Booking } from './book-calls';
import { BookingLanes } from './booking-lanes';
import { holdRow } from './hold-request';

const failure = (code: string, detail?: string) =>
  Object.assign(new DatabaseError('refused', 0, 'error'), { code, detail });

const hold = (organizationId: string): Booking => ({
  kind: 'hold',
  row: holdRow(holdOf(organizationId, 100)),
  isSent: false,
  isGivenUp: false,
});

/** A pool whose statements end, in order, as scripted. */
const poolOf = (...outcomes: readonly Promise<{ readonly rows: readonly Partial<Booked>[] }>[]) => {
  const script = outcomes.values();
  for (const outcome of outcomes) outcome.catch(() => undefined);
  return { query: () => script.next().value, ending: false } as unknown as Pool;
};

// Node ends a process for a rejection that nobody listens to, and jest fails its test.
it('a booking that is set aside may fail before the rest of its batch is booked: it alone hears of that', async () => {
  const rest = Promise.withResolvers<{ rows: Partial<Booked>[] }>();
  const lanes = new BookingLanes({
    books: poolOf(Promise.reject(failure('55P03', 'locked')), rest.promise),
    booksAside: poolOf(Promise.reject(failure('57014'))),
  } as Database);
  const booked = [lanes.add(hold('locked')), lanes.add(hold('free'))];
  const outcomes = Promise.allSettled(booked);
  await new Promise((resolve) => setTimeout(resolve, 50));
  rest.resolve({ rows: [{ held_nanos: '100' }] });
  expect(await outcomes).toMatchObject([
    { status: 'rejected', reason: { code: '57014' } },
    { status: 'fulfilled', value: { held_nanos: '100' } },
  ]);
});
