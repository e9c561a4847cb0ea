import { leftOf, pressureOn, standingOf, NO_PRESSURE, type Budget } from './budget-standing';
import { type ModelRequest } from './request';

const BUDGET = 'bud_06dpm2q4x8k3c0v9r7t5w1hzny';
const KEY = 'key_06dpm2q4x8k3c0v9r7t5w1hzny';

const budget = (change: Partial<Budget> = {}): Budget => ({
  id: BUDGET,
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
  updated_at: '2026-11-10T00:00:00.000Z',
  ...change,
});
const refusal = (change: object = {}) => ({
  count: 40,
  last_at: '2026-11-20T09:30:00.000Z',
  last_message: `The budget "Of a spec" (${BUDGET}) has too little left for this call. Nothing was sent or charged.`,
  ...change,
});
const call = (held: bigint, change: object = {}) =>
  ({ project_id: null, api_key_id: KEY, cost: { held_nanos: held }, ...change }) as ModelRequest;

describe('what a budget does to calls now', () => {
  it.each([
    ['within', { spent_nanos: 7_999_999_999n }],
    ['warning', { spent_nanos: 8_000_000_000n }],
    ['blocking', { spent_nanos: 10_000_000_000n }],
    ['over', { spent_nanos: 10_000_000_001n, action: 'warn' }],
    ['session', { spent_nanos: null, resets_at: null, period: 'session' }],
    ['each', { spent_nanos: null, scope: 'end_user', scope_id: '*' }],
    ['session', { spent_nanos: null, scope_id: '*', resets_at: null, period: 'session' }],
    ['within', { spent_nanos: 10_000_000_000n, amount_in_force_nanos: 20_000_000_000n }],
    ['blocking', { spent_nanos: 5_000_000_000n, amount_in_force_nanos: 5_000_000_000n }],
    ['disabled', { spent_nanos: 20_000_000_000n, enabled: false }],
  ] as const)('is %s by what is spent, where nothing is known of calls', (standing, change) =>
    expect(standingOf(budget(change), NO_PRESSURE)).toBe(standing),
  );

  it.each([
    ['blocking', 'it refuses calls, however little is spent', { spent_nanos: 1_880_000_000n }, {}],
    ['within', 'it only warns', { spent_nanos: 1_880_000_000n, action: 'warn' }, {}],
    ['disabled', 'it is disabled', { enabled: false }, {}],
    ['warning', 'another budget refused the calls', {}, { last_message: 'The budget "Other" (bud_other) …' }],
    ['warning', 'it was changed since', { updated_at: '2026-11-20T09:31:00.000Z' }, {}],
    [
      'within',
      'its day began since',
      { spent_nanos: 0n, resets_at: '2026-11-22T00:00:00.000Z', period: 'day' },
      {},
    ],
  ] as const)('is %s where %s', (standing, _, change, of) => {
    const judged = budget(change);
    expect(standingOf(judged, pressureOn(judged, [refusal(of)], []))).toBe(standing);
  });

  it.each([
    ['blocking', 1_750_000_001n],
    ['warning', 1_750_000_000n],
  ])('is %s where a usual call holds %s nanos of the 1,750,000,000 that are left', (standing, held) =>
    expect(standingOf(budget(), pressureOn(budget(), [], [call(held)]))).toBe(standing),
  );
});

describe('what calls say about a budget', () => {
  it('adds up what keys were refused by it, and names the last', () => {
    const later = '2026-11-20T10:00:00.000Z';
    const refusals = [
      refusal({ count: 2, last_at: later }),
      refusal(),
      refusal({ last_message: 'Another.' }),
    ];
    expect(pressureOn(budget(), refusals, []).refused).toEqual({ count: 42, lastAt: later });
    expect(pressureOn(budget(), [], []).refused).toBeNull();
  });

  it('knows the median hold of the calls of its scope', () => {
    const calls = [9n, 1n, 5n].map((held) => call(held));
    expect(pressureOn(budget(), [], calls).usualHold).toBe(5n);
    expect(pressureOn(budget({ scope: 'api_key', scope_id: KEY }), [], calls).usualHold).toBe(5n);
    expect(pressureOn(budget({ scope: 'project', scope_id: 'proj_other' }), [], calls).usualHold).toBeNull();
  });

  it.each([
    ['a model', { scope: 'model', scope_id: 'acme/small' }, 1n],
    ['each model', { scope: 'model', scope_id: '*' }, 5n],
    ['each model of a project', { scope: 'model', scope_id: '*', project_id: 'proj_1' }, 9n],
    ['an end user', { scope: 'end_user', scope_id: 'eu_1' }, 9n],
    ['each end user', { scope: 'end_user', scope_id: '*' }, 9n],
    ['each project', { scope: 'project', scope_id: '*' }, 9n],
    ['a member, whose calls are not known', { scope: 'member', scope_id: 'mem_1' }, null],
  ] as const)('knows the usual hold of the calls of %s', (_, change, hold) => {
    const calls = [
      call(1n, { model: 'acme/small', end_user_id: null }),
      call(5n, { model: 'acme/big', end_user_id: null }),
      call(9n, { model: 'acme/big', end_user_id: 'eu_1', project_id: 'proj_1' }),
    ];
    expect(pressureOn(budget(change), [], calls).usualHold).toBe(hold);
  });

  it('leaves nothing, never less, and no one amount for sessions', () => {
    expect(leftOf(budget())).toBe(1_750_000_000n);
    expect(leftOf(budget({ spent_nanos: 11_000_000_000n }))).toBe(0n);
    expect(leftOf(budget({ amount_in_force_nanos: 9_000_000_000n }))).toBe(750_000_000n);
    expect(leftOf(budget({ spent_nanos: null }))).toBeNull();
  });
});
