import { nextLook } from './next-look';

const HOUR_MS = 3_600_000;
const RECONCILE_MS = 600_000;
const lookAt = (state: Parameters<typeof nextLook>[0]['state'], nowMs: number) =>
  nextLook({ state, createdAtMs: 0 }, nowMs, RECONCILE_MS);

it('an open payment is looked at after the time that is set, then each hour, and when its checkout ends', () => {
  expect(lookAt('pending', 0)).toBe(RECONCILE_MS);
  expect(lookAt('pending', RECONCILE_MS)).toBe(RECONCILE_MS + HOUR_MS);
  expect(lookAt('failed', 23.5 * HOUR_MS)).toBe(24 * HOUR_MS);
  expect(lookAt('pending', 25 * HOUR_MS)).toBe(26 * HOUR_MS);
});

it('a credited payment is looked at ever more seldom, and at last no more', () => {
  expect(lookAt('succeeded', 0)).toBe(RECONCILE_MS);
  expect(lookAt('succeeded', 2 * HOUR_MS)).toBe(4 * HOUR_MS);
  expect(lookAt('disputed', 100 * HOUR_MS)).toBe(124 * HOUR_MS);
  expect(lookAt('refunded', 181 * 24 * HOUR_MS)).toBeNull();
});

it.each(['expired', 'cancelled', 'review', 'dismissed'] as const)(
  'a payment that is %s is not looked at',
  (state) => {
    expect(lookAt(state, 0)).toBeNull();
  },
);
