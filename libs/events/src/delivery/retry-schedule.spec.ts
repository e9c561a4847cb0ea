import fc from 'fast-check';
import {
  DEFAULT_RETRY_DELAYS_SECONDS,
  MAX_ATTEMPTS,
  nextAttemptAt,
  retryDelaySeconds,
} from './retry-schedule';

const anyDate = fc.date({ min: new Date(0), max: new Date(4_102_444_800_000), noInvalidDate: true });

describe('the retry schedule', () => {
  it('25: waits 1 min, 5 min, 30 min, 2 h and 12 h, and ends with the sixth attempt', () => {
    const delays = Array.from({ length: MAX_ATTEMPTS }, (_, at) => retryDelaySeconds(at + 1));
    expect(delays).toEqual([60, 300, 1_800, 7_200, 43_200, null]);
  });

  it('takes about 14.6 hours in all', () => {
    const seconds = DEFAULT_RETRY_DELAYS_SECONDS.reduce((sum, delay) => sum + delay, 0);
    expect(seconds / 3_600).toBeCloseTo(14.6, 1);
  });

  it('25: is exact for any time and any delays', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        anyDate,
        fc.array(fc.nat({ max: 1_000_000 }), { minLength: 5, maxLength: 5 }),
        (deliveryAttempt, failedAt, delaysSeconds) => {
          const due = nextAttemptAt(deliveryAttempt, failedAt, delaysSeconds)!;
          expect(due.getTime() - failedAt.getTime()).toBe(delaysSeconds[deliveryAttempt - 1]! * 1_000);
        },
      ),
    );
  });

  it('ends after the sixth attempt, however many delays are configured', () => {
    expect(nextAttemptAt(6, new Date(0), [1, 1, 1, 1, 1, 1, 1])).toBeNull();
    expect(nextAttemptAt(7, new Date(0))).toBeNull();
  });

  it.each([0, -1, 1.5, NaN])('has no attempt number %p', (deliveryAttempt) => {
    expect(() => nextAttemptAt(deliveryAttempt, new Date(0))).toThrow(RangeError);
  });

  it('throws for a delay that is not configured', () => {
    expect(() => retryDelaySeconds(2, [1])).toThrow(RangeError);
  });
});
