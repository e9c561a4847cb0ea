import { draftOf, isCapReached, readDraft, standingOf, switchedOff, type AutoTopUp } from './auto-top-up';

const CARD = 'pm_06dpm2q4x8k3c0v9r7t5w1hzny';
const OTHER = 'pm_00000000000000000000000000';
const unset: AutoTopUp = {
  enabled: false,
  threshold_nanos: null,
  amount_nanos: null,
  monthly_cap_nanos: null,
  payment_method_id: null,
  disabled_reason: null,
  charged_this_month_nanos: 0n,
  retry_at: null,
};
const on: AutoTopUp = {
  ...unset,
  enabled: true,
  threshold_nanos: 20_000_000_000n,
  amount_nanos: 50_000_000_000n,
  monthly_cap_nanos: 500_000_000_000n,
  payment_method_id: CARD,
};

describe('the standing of automatic top-up', () => {
  it('tells one that was never set from one that is off, and from one that the service switched off', () => {
    const standings = [
      unset,
      on,
      { ...on, enabled: false },
      { ...on, enabled: false, disabled_reason: 'dispute' },
    ];
    expect(standings.map(standingOf)).toEqual(['never', 'on', 'off', 'ended']);
  });
});

describe('the monthly limit', () => {
  it('is reached where it leaves less than one charge', () => {
    const charged = [0n, 450_000_000_000n, 450_010_000_000n, 500_000_000_000n];
    const reached = charged.map((nanos) => isCapReached({ ...on, charged_this_month_nanos: nanos }));
    expect(reached).toEqual([false, false, true, true]);
    expect(isCapReached(unset)).toBe(false);
  });
});

describe('the draft of automatic top-up', () => {
  it('begins with what is set, to the nano', () => {
    expect(draftOf({ ...on, threshold_nanos: 20_000_000_001n }, [OTHER, CARD])).toEqual({
      threshold: '20.000000001',
      amount: '50',
      cap: '500',
      card: CARD,
    });
  });

  it('begins with the newest card where the one that is set was removed, and with none where there is none', () => {
    expect([draftOf(on, [OTHER]).card, draftOf(on, []).card, draftOf(unset, [OTHER, CARD]).card]).toEqual([
      OTHER,
      null,
      OTHER,
    ]);
  });

  it('is read as what the API takes, switched on', () => {
    const draft = { threshold: '$0', amount: '1,250.50', cap: '1250.50', card: CARD };
    expect(readDraft(draft)).toEqual({
      settings: {
        enabled: true,
        threshold_nanos: 0n,
        amount_nanos: 1_250_500_000_000n,
        monthly_cap_nanos: 1_250_500_000_000n,
        payment_method_id: CARD,
      },
      problems: {},
    });
  });

  it.each([
    [{ threshold: '' }, { threshold: 'noThreshold' }],
    [{ amount: '4.99' }, { amount: 'noAmount' }],
    [{ amount: '50.001' }, { amount: 'noAmount' }],
    [{ cap: '0' }, { cap: 'noCap' }],
    [{ cap: '49.99' }, { cap: 'capBelowAmount' }],
    [{ card: null }, { card: 'noCard' }],
    [
      { amount: '', cap: '' },
      { amount: 'noAmount', cap: 'noCap' },
    ],
  ])('with %j says what is wrong', (change, problems) => {
    const draft = { threshold: '20', amount: '50', cap: '500', card: CARD, ...change };
    expect(readDraft(draft)).toEqual({ settings: null, problems });
  });
});

describe('switching automatic top-up off', () => {
  it('keeps all else as it is, so that it waits for no approval', () => {
    expect(switchedOff(on)).toEqual({
      enabled: false,
      threshold_nanos: on.threshold_nanos,
      amount_nanos: on.amount_nanos,
      monthly_cap_nanos: on.monthly_cap_nanos,
      payment_method_id: CARD,
    });
  });

  it('is nothing where it is off', () => {
    expect([switchedOff(unset), switchedOff({ ...on, enabled: false })]).toEqual([null, null]);
  });
});
