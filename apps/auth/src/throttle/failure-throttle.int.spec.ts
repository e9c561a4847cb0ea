import { FailedGuessStore } from '@svc/access/store';
import { GatewayError } from '@svc/kernel';
import { openDatabase } from '@svc/database';
import { openTestDatabase, type TestDatabase } from '@svc/database/testing';
import { passGuesses } from '../testing/pass-guesses';
import { FailureThrottle } from './failure-throttle';

const HERE = '203.0.113.7';
const ELSEWHERE = '198.51.100.9';

let test: TestDatabase;
let throttle: FailureThrottle;
beforeAll(async () => {
  test = await openTestDatabase();
  throttle = new FailureThrottle(new FailedGuessStore(test.database));
});
beforeEach(() => test.database.pool.query('TRUNCATE failed_guesses'));
afterAll(() => test.close());

const passMs = (ms: number) => passGuesses(test.database, ms);

async function fail(subject: string, address: string, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) await throttle.begin(subject, address);
}

/** How long a caller must wait, in milliseconds; 0 when the guess is let through. */
async function waitIn(attempt: Promise<unknown>): Promise<number> {
  try {
    await attempt;
    return 0;
  } catch (error) {
    if (error instanceof GatewayError && error.reason === 'rateLimit') return error.retryAfterMs ?? 0;
    throw error;
  }
}
const waitOf = (subject: string, address: string) => waitIn(throttle.begin(subject, address));
let begunMs: number;
beforeEach(() => (begunMs = Date.now()));
/** A wait, less the time that the test has taken. */
const expectWait = (waitMs: number, expectedMs: number) => {
  expect(waitMs).toBeGreaterThanOrEqual(expectedMs - (Date.now() - begunMs) - 1_000);
  expect(waitMs).toBeLessThanOrEqual(expectedMs);
};

describe('the failure throttle', () => {
  it('asks to wait after five failures, and lets one more through when it said', async () => {
    await fail('anna', HERE, 5);
    const waitMs = await waitOf('anna', HERE);
    expectWait(waitMs, 60_000);
    await passMs(30_000);
    expectWait(await waitOf('anna', HERE), waitMs - 30_000);
    await passMs(30_000);
    expect(await waitOf('anna', HERE)).toBe(0);
    expectWait(await waitOf('anna', HERE), 60_000);
  });

  it('never locks the owner out for what somebody does elsewhere', async () => {
    await fail('anna', ELSEWHERE, 5);
    expect(await waitOf('anna', ELSEWHERE)).toBeGreaterThan(0);
    expect(await waitOf('anna', HERE)).toBe(0);
  });

  it('limits an address that tries many subjects', async () => {
    for (let at = 0; at < 30; at++) await fail(`user-${String(at)}`, HERE);
    expectWait(await waitOf('another', HERE), 10_000);
    expect(await waitOf('another', ELSEWHERE)).toBe(0);
  });

  it('counts guesses that are not judged yet', async () => {
    const guesses = [];
    for (let time = 0; time < 5; time++) guesses.push(await throttle.begin('anna', HERE));
    expect(await waitOf('anna', HERE)).toBeGreaterThan(0);
    await guesses[0]!.succeeded();
    expect(await waitOf('anna', HERE)).toBe(0);
  });

  it('forgets a subject that succeeded, but not what else its address tried', async () => {
    await Promise.all(Array.from({ length: 29 }, (_, at) => fail(`user-${String(at)}`, HERE)));
    await (await throttle.begin('attacker', HERE)).succeeded();
    expect(await waitOf('another', HERE)).toBe(0);
    expect(await waitOf('another', HERE)).toBeGreaterThan(0);
  });

  it('does not count what it refused', async () => {
    await fail('anna', HERE, 5);
    await Promise.all(Array.from({ length: 100 }, () => waitOf('anna', HERE)));
    expectWait(await waitOf('anna', HERE), 60_000);
    expect(await waitOf('berta', HERE)).toBe(0);
  });

  it('locks nobody out longer when the clock is set back', async () => {
    await fail('anna', HERE, 5);
    await passMs(-3_600_000);
    expectWait(await waitOf('anna', HERE), 60_000);
  });

  it('knows who tried what by a hash only', async () => {
    await fail('anna@example.com', HERE);
    const { rows } = await test.database.pool.query('SELECT * FROM failed_guesses');
    expect(rows).toHaveLength(2);
    for (const { guesser } of rows as { guesser: Buffer }[]) expect(guesser).toHaveLength(32);
  });
});

describe('the throttles of two processes', () => {
  let others: ReturnType<typeof openDatabase>;
  let both: readonly FailureThrottle[];
  beforeAll(() => {
    others = openDatabase({ url: test.url, poolSize: 10 });
    both = [throttle, new FailureThrottle(new FailedGuessStore(others))];
  });
  afterAll(() => others.close());

  it('share what they count: what one refuses the other does, and what succeeds at one is forgotten at both', async () => {
    const [one, other] = both as [FailureThrottle, FailureThrottle];
    await fail('anna', HERE, 4);
    const last = await other.begin('anna', HERE);
    for (const each of both) expect(await waitIn(each.begin('anna', HERE))).toBeGreaterThan(0);
    await last.succeeded();
    for (const each of [one, other, one, other]) expect(await waitIn(each.begin('anna', HERE))).toBe(0);
  });

  it.each([
    ['at one subject', () => 'anna', 5],
    ['at a subject each', (nth: number) => `user-${String(nth)}`, 30],
  ])('let a burst of a hundred guesses %s through', async (_, subjectOf, burst) => {
    const waits = await Promise.all(
      Array.from({ length: 100 }, (__, nth) => waitIn(both[nth % 2]!.begin(subjectOf(nth), HERE))),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(burst);
  });

  it('count of what is judged already the wrong ones, and never the right ones, however many at once', async () => {
    const judged = (isRight: boolean, times: number) =>
      Promise.all(
        Array.from({ length: times }, (_, nth) => waitIn(both[nth % 2]!.judged('app', HERE, isRight))),
      );
    expect(await judged(true, 100)).toEqual(Array.from({ length: 100 }, () => 0));
    expect((await judged(false, 100)).filter((wait) => wait === 0)).toHaveLength(5);
    for (const wait of await judged(true, 10)) expect(wait).toBeGreaterThan(0);
    await passMs(60_000);
    expect(await judged(true, 1)).toEqual([0]);
    expect((await judged(false, 100)).filter((wait) => wait === 0)).toHaveLength(5);
  });
});
