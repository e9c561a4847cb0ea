import fc from 'fast-check';
import { lookUpAgainMs } from './look-up-again';

const DAY_MS = 86_400_000;

it('an event that cannot be looked up is looked up ever more seldom, at least once an hour', () => {
  const waits = Array.from({ length: 14 }, (_, tries) => lookUpAgainMs({ tries, ageMs: 0 }));
  expect(waits.slice(0, 4)).toEqual([2_000, 4_000, 8_000, 16_000]);
  expect(waits.slice(-2)).toEqual([3_600_000, 3_600_000]);
});

it('an event that cannot be looked up is given up after a day, and not before', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.nat(2 * DAY_MS), (tries, ageMs) => {
      const wait = lookUpAgainMs({ tries, ageMs });
      if (ageMs >= DAY_MS) expect(wait).toBeNull();
      else expect(wait).toBeGreaterThanOrEqual(2_000);
    }),
  );
  let [ageMs, tries] = [0, 0];
  for (let wait = lookUpAgainMs({ tries, ageMs }); wait !== null; wait = lookUpAgainMs({ tries, ageMs })) {
    ageMs += wait;
    tries += 1;
  }
  expect(tries).toBeLessThan(50);
  expect(ageMs).toBeLessThan(DAY_MS + 3_600_000);
});
