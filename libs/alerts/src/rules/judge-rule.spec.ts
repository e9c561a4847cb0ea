import fc from 'fast-check';
import { freshStanding, judgeRule, noticeOfEnd, type Observation, type Standing } from './judge-rule';

const rule = {
  metric: 'error_rate_bps',
  threshold: 500n,
  windowSeconds: 300,
  forSeconds: 0,
  keepFiringSeconds: 0,
  repeatSeconds: null,
  mutedUntilMs: null,
} as const;
type Rule = Parameters<typeof judgeRule>[0];

const at = (seconds: number, value: bigint | null, period: string | null = null): Observation => ({
  atMs: seconds * 1_000,
  value,
  period,
});
const HIGH = 700n;
const LOW = 100n;
const FIRST_TOLD = { kind: 'firing', repeat: 0 };

/** The verdicts of a rule over observations, from a fresh start. */
function walk(fields: Partial<Rule>, ...observations: readonly Observation[]) {
  let standing = freshStanding;
  return observations.map((observation) => {
    const verdict = judgeRule({ ...rule, ...fields }, standing, observation);
    standing = verdict.standing;
    return { state: standing.state, change: verdict.change, notice: verdict.notice };
  });
}
const statesOf = (verdicts: ReturnType<typeof walk>) => verdicts.map(({ state }) => state);

describe('a rule', () => {
  it('fires at once without a wait, and is told once', () => {
    expect(walk({}, at(0, LOW), at(10, HIGH), at(20, HIGH))).toEqual([
      { state: 'ok', change: null, notice: null },
      { state: 'firing', change: 'opened', notice: FIRST_TOLD },
      { state: 'firing', change: null, notice: null },
    ]);
  });

  it('fires at its threshold; one of a wallet fires at its threshold and below', () => {
    expect(statesOf(walk({}, at(0, 499n), at(1, 500n)))).toEqual(['ok', 'firing']);
    const metric = 'wallet_available_nanos';
    expect(statesOf(walk({ metric }, at(0, 501n), at(1, 500n), at(2, 0n)))).toEqual([
      'ok',
      'firing',
      'firing',
    ]);
  });

  it('is pending until it has held without a break, and any break begins the wait anew', () => {
    const verdicts = walk(
      { forSeconds: 60 },
      at(0, HIGH),
      at(50, HIGH),
      at(55, LOW),
      at(60, HIGH),
      at(100, null),
      at(110, HIGH),
      at(169, HIGH),
      at(170, HIGH),
    );
    expect(statesOf(verdicts)).toEqual([
      'pending',
      'pending',
      'ok',
      'pending',
      'no_data',
      'pending',
      'pending',
      'firing',
    ]);
    expect(verdicts.filter(({ notice }) => notice !== null)).toHaveLength(1);
  });

  it('keeps firing until it has not held for long enough, so that it does not flap', () => {
    expect(
      walk(
        { keepFiringSeconds: 300 },
        at(0, HIGH),
        at(10, LOW),
        at(200, HIGH),
        at(210, LOW),
        at(509, LOW),
        at(510, LOW),
      ),
    ).toMatchObject([
      { state: 'firing', notice: FIRST_TOLD },
      { state: 'firing', notice: null },
      { state: 'firing', notice: null },
      { state: 'firing', notice: null },
      { state: 'firing', notice: null },
      { state: 'ok', change: 'recovered', notice: { kind: 'resolved' } },
    ]);
  });

  it('neither fires nor resolves at once for lack of data', () => {
    const some = { keepFiringSeconds: 60 };
    expect(
      walk(some, at(0, null), at(10, HIGH), at(20, null), at(319, null), at(320, null), at(330, null)),
    ).toMatchObject([
      { state: 'no_data' },
      { state: 'firing' },
      { state: 'firing' },
      { state: 'firing' },
      { state: 'ok', change: 'no_data', notice: { kind: 'resolved' } },
      { state: 'no_data', change: null, notice: null },
    ]);
  });

  it('is told again after its time, while it holds, unless somebody acknowledged it', () => {
    const repeating = { repeatSeconds: 3_600, keepFiringSeconds: 9_000 };
    const times = [
      at(0, HIGH),
      at(3_599, HIGH),
      at(3_600, LOW),
      at(3_700, HIGH),
      at(7_299, HIGH),
      at(7_300, HIGH),
    ];
    expect(walk(repeating, ...times).map(({ notice }) => notice)).toEqual([
      FIRST_TOLD,
      null,
      null,
      { kind: 'firing', repeat: 1 },
      null,
      { kind: 'firing', repeat: 2 },
    ]);
    const { standing } = judgeRule({ ...rule, ...repeating }, freshStanding, at(0, HIGH));
    const acknowledged: Standing = { ...standing, alert: { ...standing.alert!, isAcknowledged: true } };
    expect(judgeRule({ ...rule, ...repeating }, acknowledged, at(9_999, HIGH)).notice).toBeNull();
  });

  it('that is muted fires in silence, and is told when the mute ends if it still fires', () => {
    const muted = { mutedUntilMs: 60_000, keepFiringSeconds: 0 };
    expect(walk(muted, at(0, HIGH), at(59, HIGH), at(60, HIGH))).toMatchObject([
      { state: 'firing', change: 'opened', notice: null },
      { notice: null },
      { notice: FIRST_TOLD },
    ]);
    expect(walk(muted, at(0, HIGH), at(70, LOW)).map(({ notice }) => notice)).toEqual([null, null]);
  });

  it('of a period fires once in it, and resolves when the next one begins', () => {
    const metric = 'spend_nanos';
    const verdicts = walk(
      { metric, keepFiringSeconds: 86_400 },
      at(0, HIGH, '2026-11-23'),
      at(10, HIGH, '2026-11-23'),
      at(20, LOW, '2026-11-24'),
      at(30, HIGH, '2026-11-24'),
    );
    expect(verdicts.map(({ change }) => change)).toEqual(['opened', null, 'recovered', 'opened']);
  });

  it('keeps the observation that was farthest beyond its threshold', () => {
    const peakOf = (fields: Partial<Rule>, values: readonly bigint[]) => {
      let standing = freshStanding;
      values.forEach((value, second) => {
        ({ standing } = judgeRule({ ...rule, ...fields }, standing, at(second, value)));
      });
      return standing.alert?.peak;
    };
    expect(peakOf({}, [600n, 900n, 700n])).toBe(900n);
    expect(peakOf({ metric: 'wallet_available_nanos' }, [400n, 50n, 300n])).toBe(50n);
  });

  it('that is changed tells of the end of an alert that was told, and of no other', () => {
    expect(noticeOfEnd(rule, { toldCount: 1 }, 0)).toEqual({ kind: 'resolved' });
    expect(noticeOfEnd(rule, { toldCount: 0 }, 0)).toBeNull();
    expect(noticeOfEnd({ mutedUntilMs: 1 }, { toldCount: 1 }, 0)).toBeNull();
  });
});

const rules = fc.record({
  metric: fc.constantFrom('error_rate_bps', 'wallet_available_nanos', 'spend_nanos'),
  threshold: fc.constant(500n),
  windowSeconds: fc.constantFrom(60, 300),
  forSeconds: fc.constantFrom(0, 30, 120),
  keepFiringSeconds: fc.constantFrom(0, 30, 600),
  repeatSeconds: fc.constantFrom(null, 3_600),
  mutedUntilMs: fc.constantFrom(null, 100_000),
}) satisfies fc.Arbitrary<Rule>;
const observations = fc.array(
  fc.record({
    passedSeconds: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(4_000)),
    value: fc.constantFrom(null, 100n, 500n, 700n),
    isAcknowledged: fc.boolean(),
  }),
  { maxLength: 60 },
);

describe('whatever is observed', () => {
  it('a rule has at most one open alert, waits as it was told to, and tells nothing without a transition', () => {
    fc.assert(
      fc.property(rules, observations, (some, seen) => {
        const holdsAt = (value: bigint | null) =>
          value !== null && (some.metric === 'wallet_available_nanos' ? value <= 500n : value >= 500n);
        let standing: Standing = freshStanding;
        let atMs = 0;
        let heldSinceMs: number | null = null;
        let notHeldSinceMs: number | null = null;
        let isOpen = false;
        let toldCount = 0;
        for (const { passedSeconds, value, isAcknowledged } of seen) {
          atMs += passedSeconds * 1_000;
          heldSinceMs = holdsAt(value) ? (heldSinceMs ?? atMs) : null;
          notHeldSinceMs = holdsAt(value) ? null : (notHeldSinceMs ?? atMs);
          const {
            standing: after,
            change,
            notice,
          } = judgeRule(some, standing, { value, period: null, atMs });

          expect((after.state === 'firing') === (after.alert !== null)).toBe(true);
          if (change === 'opened') {
            expect(isOpen).toBe(false);
            expect(atMs - (heldSinceMs ?? Infinity)).toBeGreaterThanOrEqual(some.forSeconds * 1_000);
            [isOpen, toldCount] = [true, 0];
          }
          if (notice?.kind === 'firing') {
            expect(isOpen && notice.repeat === toldCount).toBe(true);
            if (toldCount > 0) expect(some.repeatSeconds).not.toBeNull();
            toldCount++;
          }
          if (change === 'recovered' || change === 'no_data') {
            expect(isOpen).toBe(true);
            const waitSeconds = Math.max(some.keepFiringSeconds, value === null ? some.windowSeconds : 0);
            expect(atMs - (notHeldSinceMs ?? Infinity)).toBeGreaterThanOrEqual(waitSeconds * 1_000);
            isOpen = false;
          }
          if (notice?.kind === 'resolved') expect(change !== null && toldCount > 0).toBe(true);
          if (notice !== null && some.mutedUntilMs !== null) {
            expect(atMs).toBeGreaterThanOrEqual(some.mutedUntilMs);
          }
          expect(isOpen).toBe(after.alert !== null);
          standing = after.alert === null ? after : { ...after, alert: { ...after.alert, isAcknowledged } };
        }
      }),
      { numRuns: 500 },
    );
  });
});
