import fc from 'fast-check';
import { type BodyPermit, LargeBodySemaphore } from './large-body-semaphore';

const BOUNDS = { bytesMax: 100, waitingMax: 3, waitMsMax: 60_000 };

let semaphore: LargeBodySemaphore;
/** Aborted when a test ends, so that no body waits on. */
let callers: AbortController;
beforeEach(() => {
  semaphore = new LargeBodySemaphore(BOUNDS);
  callers = new AbortController();
});
afterEach(() => {
  callers.abort();
});

const acquire = (
  length: number | null,
  organizationId = 'org_1',
  disconnected = callers.signal,
): Promise<BodyPermit> => semaphore.acquire(organizationId, length, disconnected);
/** True where it is admitted by the end of this turn of the event loop. */
const isAdmitted = (acquiring: Promise<BodyPermit>): Promise<boolean> =>
  Promise.race([
    acquiring.then(
      () => true,
      () => false,
    ),
    new Promise<false>((resolve) => setImmediate(resolve, false)),
  ]);
const refusalOf = (acquiring: Promise<BodyPermit>): Promise<unknown> =>
  acquiring.then(
    () => null,
    (error: unknown) => error,
  );
const OVERLOADED = { reason: 'overloaded', definition: { status: 503 } };

describe('the semaphore of an organization’s large bodies', () => {
  it.each([1, 100, 1_000_000, null])('admits one of any size at once: %s', async (length) => {
    expect(await isAdmitted(acquire(length))).toBe(true);
  });

  it('admits what fits, and one of any size beyond that; the next waits until one is released', async () => {
    const first = await acquire(60);
    expect(await isAdmitted(acquire(40))).toBe(true);
    expect(await isAdmitted(acquire(1_000_000))).toBe(true);
    const next = acquire(50);
    expect(await isAdmitted(next)).toBe(false);
    first.release();
    expect(await isAdmitted(next)).toBe(false);
  });

  it('bounds each organization apart', async () => {
    await acquire(1_000_000);
    expect(await isAdmitted(acquire(1_000_000))).toBe(false);
    expect(await isAdmitted(acquire(1_000_000, 'org_2'))).toBe(true);
  });

  it('admits those that wait in order of arrival: no smaller body overtakes a larger one', async () => {
    const overflowing = await acquire(200);
    const waiting = [acquire(150), acquire(1)];
    expect(await Promise.all(waiting.map(isAdmitted))).toEqual([false, false]);
    overflowing.release();
    expect(await Promise.all(waiting.map(isAdmitted))).toEqual([true, false]);
    (await waiting[0]!).release();
    expect(await isAdmitted(waiting[1]!)).toBe(true);
  });

  it('reads one body of unknown length at a time, and counts its size once that is known', async () => {
    const first = await acquire(null);
    const second = acquire(null);
    expect(await isAdmitted(second)).toBe(false);
    first.setLength(80);
    expect(await isAdmitted(second)).toBe(true);
    (await second).setLength(30);
    expect(await isAdmitted(acquire(1))).toBe(false);
  });

  it('releases a permit once, however often it is released', async () => {
    const permit = await acquire(60);
    permit.release();
    permit.release();
    await acquire(60);
    await acquire(60);
    expect(await isAdmitted(acquire(60))).toBe(false);
  });
});

describe('a body that waits', () => {
  const full = () => acquire(1_000_000);

  it('is refused when too many wait already', async () => {
    await full();
    const waiting = Array.from({ length: BOUNDS.waitingMax }, () => acquire(200));
    expect(await refusalOf(acquire(200))).toMatchObject(OVERLOADED);
    expect(await Promise.all(waiting.map(isAdmitted))).toEqual([false, false, false]);
  });

  it('is refused after the longest wait, and makes way for the next', async () => {
    semaphore = new LargeBodySemaphore({ ...BOUNDS, waitMsMax: 50 });
    await full();
    expect(await refusalOf(acquire(200))).toMatchObject(OVERLOADED);
  });

  it('is refused once its caller disconnects, and those behind it are admitted', async () => {
    await acquire(1);
    await acquire(null);
    const leaver = new AbortController();
    const first = refusalOf(acquire(200, 'org_1', leaver.signal));
    const second = acquire(50);
    expect(await isAdmitted(second)).toBe(false);
    leaver.abort();
    expect(await first).toMatchObject(OVERLOADED);
    expect(await isAdmitted(second)).toBe(true);
    expect(await refusalOf(acquire(200, 'org_1', AbortSignal.abort()))).toMatchObject(OVERLOADED);
  });
});

describe('what an organization has in flight', () => {
  it('is never above the bound and one body, and all that wait are admitted as others are released', async () => {
    const steps = fc.array(
      fc.record({ length: fc.option(fc.integer({ min: 1, max: 150 })), releases: fc.boolean() }),
      { maxLength: 80 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const bounded = new LargeBodySemaphore({ bytesMax: 100, waitingMax: Infinity, waitMsMax: 60_000 });
        const held: { permit: BodyPermit; size: number }[] = [];
        const admitted: Promise<unknown>[] = [];
        const releaseFirst = async (): Promise<void> => {
          held.shift()?.permit.release();
          await new Promise(setImmediate);
        };
        for (const { length, releases } of all) {
          const size = length ?? 70;
          const acquiring = bounded.acquire('org_1', length, callers.signal).then((permit) => {
            held.push({ permit, size });
            permit.setLength(size);
          });
          admitted.push(acquiring);
          await new Promise(setImmediate);
          const total = held.reduce((sum, each) => sum + each.size, 0);
          const largest = Math.max(0, ...held.map((each) => each.size));
          expect(total).toBeLessThanOrEqual(100 + largest);
          if (releases) await releaseFirst();
        }
        while (held.length > 0) await releaseFirst();
        await Promise.all(admitted);
      }),
      { numRuns: 50 },
    );
  });
});
