import { reachedAt, reachedIn, type Budget } from './budget';

const budget = (change: Partial<Budget>): Budget => ({
  id: 'bud_06dpm2q4x8k3c0v9r7t5w1hzny',
  organization_id: 'org_06dpm2q4x8k3c0v9r7t5w1hzny',
  name: 'Of a spec',
  scope: 'organization',
  scope_id: 'org_06dpm2q4x8k3c0v9r7t5w1hzny',
  period: 'month',
  project_id: null,
  amount_nanos: 10_000_000_000n,
  override: null,
  amount_in_force_nanos: 10_000_000_000n,
  action: 'block',
  warn_at_bps: 8_000,
  enabled: true,
  spent_nanos: 8_250_000_000n,
  resets_at: '2026-12-01T00:00:00.000Z',
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
  ...change,
});

describe('when the amount is reached', () => {
  it('goes on at the pace of the period so far', () => {
    expect(reachedAt(budget({ spent_nanos: 5_000_000_000n }), new Date('2026-11-11T00:00:00Z'))).toEqual(
      new Date('2026-11-21T00:00:00Z'),
    );
    const day = { period: 'day', spent_nanos: 5_000_000_000n, resets_at: '2026-11-12T00:00:00Z' } as const;
    expect(reachedAt(budget(day), new Date('2026-11-11T06:00:00Z'))).toEqual(
      new Date('2026-11-11T12:00:00Z'),
    );
  });

  it('is when the amount in force is reached, and not told where that ends before', () => {
    const now = new Date('2026-11-11T00:00:00Z');
    const raised = (until: string) =>
      budget({
        spent_nanos: 5_000_000_000n,
        amount_in_force_nanos: 12_000_000_000n,
        override: { amount_nanos: 12_000_000_000n, until, reason: 'Launch' },
      });
    expect(reachedAt(raised('2026-12-24T00:00:00Z'), now)).toEqual(new Date('2026-11-25T00:00:00Z'));
    expect(reachedAt(raised('2026-11-24T00:00:00Z'), now)).toBeNull();
  });

  it('is not told where it is not reached, is reached already, or has no period', () => {
    const now = new Date('2026-11-16T00:00:00Z');
    expect(reachedAt(budget({ spent_nanos: 5_000_000_000n }), now)).toBeNull();
    expect(reachedAt(budget({ spent_nanos: 10_000_000_000n }), now)).toBeNull();
    expect(reachedAt(budget({ spent_nanos: 0n }), now)).toBeNull();
    expect(reachedAt(budget({ spent_nanos: null, resets_at: null, period: 'session' }), now)).toBeNull();
  });
});

describe('what would have happened', () => {
  const periods = [
    { start: '2026-11-01', end: '2026-12-01', spent_nanos: 900n },
    { start: '2026-10-01', end: '2026-11-01', spent_nanos: 100n },
    { start: '2026-09-01', end: '2026-10-01', spent_nanos: 99n },
  ];

  it('counts the periods that are over, and not the current one', () =>
    expect(reachedIn(periods, 100n, '2026-11-25')).toEqual({ reached: 1, of: 2 }));
});
