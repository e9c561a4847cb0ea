import { setTimeout as wait } from 'node:timers/promises';
import { backoffMs, type Database, failureKind, isLockTimeout } from '@svc/database';
import { AdaptiveBatch } from '@svc/runtime';
import { bookCalls, type Booked, type Booking } from './book-calls';

const BATCH_MAX = 256;

/**
 * Sends bookings to the database. All go together, one batch at a time, and wait for no lock. An organization whose
 * wallet is locked, or with which a batch failed, is set aside. Its calls are booked, and wait, on separate connections
 * until a batch succeeds. So neither a lock nor a refused row delays another organization.
 */
export class BookingLanes {
  private readonly main = new AdaptiveBatch((batch: readonly Booking[]) => this.bookTogether(batch), {
    itemsMax: BATCH_MAX,
  });
  private readonly aside = new Map<string, AdaptiveBatch<Booking, Booked>>();

  constructor(private readonly database: Database) {}

  /**
   * @throws a connection error, after which the call may or may not be booked; or the database's refusal of this call
   * alone, which is then not booked.
   */
  add(booking: Booking): Promise<Booked> {
    return (this.aside.get(booking.row.organization_id) ?? this.main).add(booking);
  }

  private async bookTogether(batch: readonly Booking[]): Promise<readonly (Booked | Promise<Booked>)[]> {
    try {
      return await bookCalls(this.database.books, batch, { waits: false });
    } catch (error) {
      if (failureKind(error) === 'connection') throw error;
      const apart = lockedOrganizations(error);
      const isApart = ({ row }: Booking) => apart?.has(row.organization_id) ?? true;
      const others = batch.filter((booking) => !isApart(booking));
      const rest = others.length === 0 ? Promise.resolve([]) : this.bookTogether(others);
      const booked = batch.map((booking) =>
        isApart(booking)
          ? this.laneOf(booking.row.organization_id).add(booking)
          : rest.then((all) => all[others.indexOf(booking)] as Booked),
      );
      // Callers see a rejection only after the rest is booked. Without a handler until then, Node would end the
      // process.
      for (const each of booked) each.catch(() => undefined);
      await rest.catch(() => undefined);
      return booked;
    }
  }

  private laneOf(organizationId: string): AdaptiveBatch<Booking, Booked> {
    let lane = this.aside.get(organizationId);
    if (lane === undefined) {
      lane = new AdaptiveBatch((batch: readonly Booking[]) => this.bookAside(organizationId, batch), {
        itemsMax: BATCH_MAX,
        isItemFault: (error) => failureKind(error) !== 'connection',
      });
      this.aside.set(organizationId, lane);
    }
    return lane;
  }

  private async bookAside(organizationId: string, batch: readonly Booking[]): Promise<readonly Booked[]> {
    for (let failures = 0; ; failures++) {
      try {
        const booked = await bookCalls(this.database.booksAside, batch, { waits: true });
        // While bookings wait, the next batch is likely to meet the same lock.
        if (this.aside.get(organizationId)?.waitingCount === 0) this.aside.delete(organizationId);
        return booked;
      } catch (error) {
        if (failureKind(error) !== 'conflict' || this.database.booksAside.ending) throw error;
        await wait(backoffMs(failures));
      }
    }
  }
}

/** The organizations that `lock_wallets` names; null for a failure that does not name the organization at fault. */
function lockedOrganizations(error: unknown): ReadonlySet<string> | null {
  const isLocked = isLockTimeout(error);
  return isLocked && error.detail !== undefined ? new Set(error.detail.split(',')) : null;
}
