import fc from 'fast-check';
import { nanos } from '@svc/kernel';
import {
  changeOf,
  costSoFar,
  defaultLimits,
  limitsOf,
  missingLimits,
  perMinute,
  type TunedEndpoint,
} from './endpoint';

const price = fc.bigInt({ min: 0n, max: 10n ** 15n });

describe('what an endpoint costs', () => {
  it('is a sixtieth of the hour a minute, rounded up by less than a nano', () => {
    fc.assert(
      fc.property(price, (anHour) => {
        const over = perMinute(anHour) * 60n - anHour;
        expect(over >= 0n && over < 60n).toBe(true);
      }),
    );
  });

  it('is its seconds of the hour so far, rounded up once', () => {
    fc.assert(
      fc.property(price, fc.nat({ max: 10_000_000 }), (anHour, seconds) => {
        const over = costSoFar({ running_seconds: seconds }, anHour) * 3_600n - anHour * BigInt(seconds);
        expect(over >= 0n && over < 3_600n).toBe(true);
      }),
    );
  });
});

describe('the limits of an endpoint', () => {
  it('are sent as they were read, where nothing was changed', () => {
    const limit = fc.record({
      idle_stop_minutes: fc.integer({ min: 1, max: 1_440 }),
      max_hours: fc.integer({ min: 1, max: 72_000 }).map((hundredths) => hundredths / 100),
      max_spend_nanos: fc.option(fc.bigInt({ min: 1n, max: 10n ** 15n }).map(nanos)),
    });
    fc.assert(
      fc.property(limit, (stored) => {
        const typed = limitsOf(stored as TunedEndpoint);
        expect(missingLimits(typed)).toEqual(new Set());
        expect(changeOf(typed)).toEqual(stored);
      }),
    );
  });

  it('are those of the API where nothing is typed', () => {
    expect(changeOf(defaultLimits)).toEqual({ idle_stop_minutes: 60, max_hours: 24, max_spend_nanos: null });
  });

  it.each([
    [{ idleMinutes: null }, 'idleMinutes'],
    [{ hours: '' }, 'hours'],
    [{ hours: '0' }, 'hours'],
    [{ hours: '0.00' }, 'hours'],
    [{ hours: '1.005' }, 'hours'],
    [{ hours: '-1' }, 'hours'],
    [{ spend: '0' }, 'spend'],
    [{ spend: 'lots' }, 'spend'],
  ] as const)('are not sent with %j', (typed, named) => {
    expect(missingLimits({ ...defaultLimits, ...typed })).toEqual(new Set([named]));
  });
});
