import { NO_PRESSURE } from '../../calls/budget-standing';
import { nearest } from './parts/budget-nearness';
import { changeOf } from './change';

describe('a figure against the one before', () => {
  it.each([
    [150n, 100n, 0.5],
    [50n, 100n, -0.5],
    [5n, 0n, null],
    [0n, 0n, null],
  ])('%d after %d is a change of %p', (now, before, change) => {
    expect(changeOf(now, before)).toBe(change);
  });
});

describe('the nearest budgets', () => {
  const budget = (name: string, spent_nanos: bigint | null, amount_in_force_nanos: bigint) =>
    ({
      name,
      spent_nanos,
      amount_in_force_nanos,
      warn_at_bps: 8_000,
      enabled: true,
      action: 'block',
    }) as Parameters<typeof nearest>[0][number];

  const budgets = [
    budget('far', 1n, 10n),
    budget('over', 12n, 10n),
    budget('session', null, 1n),
    budget('near', 9n, 10n),
  ];
  const namesOf = (pressureOf: Parameters<typeof nearest>[1]) =>
    nearest(budgets, pressureOf, 2).map(({ name }) => name);

  it('are those with the greatest share spent, without those of sessions', () => {
    expect(namesOf(() => NO_PRESSURE)).toEqual(['over', 'near']);
  });

  it('are before all others those that refuse calls', () => {
    const refused = { count: 3, lastAt: '2026-11-28T07:00:00.000Z' };
    expect(namesOf(({ name }) => ({ ...NO_PRESSURE, refused: name === 'far' ? refused : null }))).toEqual([
      'over',
      'far',
    ]);
  });
});
