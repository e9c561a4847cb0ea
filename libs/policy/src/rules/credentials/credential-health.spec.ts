import fc from 'fast-check';
import {
  healthAfterRefusal,
  healthAfterSuccess,
  healthAsTold,
  HEALTHY,
  passCredential,
  restAt,
  takesCalls,
  healthSummary,
  isNews,
  withoutRest,
  type CredentialHealth,
  type RestingAnswer,
} from './credential-health';

const HERE = 'acme/small|acme|eu|small-1';
const THERE = 'acme/large|acme|eu|large-1';
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** An answer to a call that was sent the moment before it. */
const answer = (nowMs: number, changes: Partial<RestingAnswer> = {}): RestingAnswer => ({
  kind: 'rate_limit',
  endpointId: HERE,
  sentAtMs: nowMs,
  waitMs: null,
  ...changes,
});
const rested = (nowMs: number, changes: Partial<RestingAnswer> = {}, before = HEALTHY): CredentialHealth =>
  healthAfterRefusal(before, answer(nowMs, changes), nowMs);
const refusedAt = (nowMs: number, before = HEALTHY) => rested(nowMs, { kind: 'refused' }, before);
const takesAt = (health: CredentialHealth, nowMs: number, endpointId = HERE): boolean =>
  restAt(health, endpointId, nowMs) === null;
const succeededAt = (health: CredentialHealth, sentAtMs: number) =>
  healthAfterSuccess(health, { endpointId: HERE, sentAtMs });

describe('a credential whose rate is limited', () => {
  it('cools at that endpoint only, for as long as the provider asks', () => {
    const health = rested(0, { waitMs: 30 * SECOND });
    expect([takesAt(health, 30 * SECOND - 1), takesAt(health, 30 * SECOND)]).toEqual([false, true]);
    expect(takesAt(health, 0, THERE)).toBe(true);
    expect(healthSummary(health, 0)).toEqual({ name: 'cooling', retryAtMs: 30 * SECOND });
    expect(healthSummary(health, 30 * SECOND)).toEqual({ name: 'ok', retryAtMs: null });
  });

  it('cools for 10 s, doubling to 5 min, where the provider asks for nothing', () => {
    let health = HEALTHY;
    let nowMs = 0;
    const waits: number[] = [];
    for (let count = 0; count < 8; count++) {
      health = rested(nowMs, {}, health);
      const { untilMs } = health.cooling.get(HERE)!;
      waits.push((untilMs! - nowMs) / SECOND);
      nowMs = untilMs!;
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 300, 300, 300]);
    expect(rested(nowMs, {}, succeededAt(health, nowMs)).cooling.get(HERE)?.untilMs).toBe(
      nowMs + 10 * SECOND,
    );
  });

  it('lets one call try each 60 s of a longer wait', () => {
    const health = rested(0, { waitMs: HOUR });
    expect([takesAt(health, MINUTE - 1), takesAt(health, MINUTE)]).toEqual([false, true]);
    const trial = passCredential(health, HERE, MINUTE);
    expect(trial.passed).toBe(true);
    expect(passCredential(trial.health, HERE, MINUTE).passed).toBe(false);
    expect(takesAt(trial.health, 2 * MINUTE - 1)).toBe(false);
    expect(takesAt(trial.health, 2 * MINUTE)).toBe(true);
  });

  it('takes calls that are no trial only once the wait is over', () => {
    const health = rested(0, { waitMs: HOUR });
    expect([takesCalls(health, HERE, MINUTE), takesCalls(health, HERE, HOUR)]).toEqual([false, true]);
    expect([takesCalls(health, THERE, 0), takesCalls(refusedAt(0), THERE, HOUR)]).toEqual([true, false]);
  });

  it('lets every call pass once the wait is over', () => {
    const health = rested(0, { waitMs: 5 * SECOND });
    const first = passCredential(health, HERE, 5 * SECOND);
    expect([first.passed, passCredential(first.health, HERE, 5 * SECOND).passed]).toEqual([true, true]);
  });

  it('stays so through answers to calls that were sent before', () => {
    const health = rested(10 * SECOND, { waitMs: 30 * SECOND });
    expect(succeededAt(health, 9 * SECOND)).toBe(health);
    expect(rested(11 * SECOND, { waitMs: SECOND, sentAtMs: 9 * SECOND }, health)).toBe(health);
    const longer = rested(11 * SECOND, { waitMs: MINUTE, sentAtMs: 9 * SECOND }, health);
    expect(longer.cooling.get(HERE)).toMatchObject({ untilMs: 71 * SECOND, sinceMs: 10 * SECOND, count: 1 });
  });

  it('is well again after a success of a trial', () => {
    const health = rested(0, { waitMs: HOUR });
    expect(succeededAt(passCredential(health, HERE, MINUTE).health, MINUTE)).toBe(HEALTHY);
  });
});

describe('a credential that is refused', () => {
  it('gets no call at any endpoint but one after 5 min, then one each hour', () => {
    const health = refusedAt(0);
    expect(takesAt(health, 5 * MINUTE - 1, THERE)).toBe(false);
    expect(healthSummary(health, 0)).toEqual({ name: 'refused', retryAtMs: 5 * MINUTE });
    const first = passCredential(health, THERE, 5 * MINUTE);
    expect(first.passed).toBe(true);
    const failed = refusedAt(5 * MINUTE, first.health);
    for (const after of [first.health, failed]) {
      expect(passCredential(after, HERE, HOUR + 5 * MINUTE - 1).passed).toBe(false);
      expect(passCredential(after, HERE, HOUR + 5 * MINUTE).passed).toBe(true);
    }
  });

  it('is well again everywhere after one success', () => {
    expect(succeededAt(refusedAt(0), 5 * MINUTE)).toBe(HEALTHY);
  });

  it('counts refusals of calls that were under way together once', () => {
    const health = refusedAt(10);
    expect(healthAfterRefusal(health, answer(20, { kind: 'refused', sentAtMs: 5 }), 20)).toBe(health);
  });

  it('passes a call that is sent all the same, which moves the next trial off', () => {
    const { passed, health } = passCredential(refusedAt(0), HERE, SECOND, true);
    expect([passed, health.refused?.trialAtMs]).toEqual([true, HOUR + SECOND]);
  });
});

it('a credential that is forbidden something cools there for 10 min, with a trial each 60 s', () => {
  const health = rested(0, { kind: 'forbidden', waitMs: SECOND });
  expect([takesAt(health, MINUTE - 1), takesAt(health, MINUTE), takesAt(health, 0, THERE)]).toEqual([
    false,
    true,
    true,
  ]);
  expect(health.cooling.get(HERE)?.untilMs).toBe(10 * MINUTE);
});

describe('what another process tells', () => {
  it('holds where it ends later, and is taken back', () => {
    const told = rested(0, { waitMs: 30 * SECOND }).cooling.get(HERE)!;
    const health = healthAsTold(HEALTHY, told, HERE);
    expect(takesAt(health, 29 * SECOND)).toBe(false);
    expect(healthAsTold(health, { ...told, untilMs: 5 * SECOND }, HERE)).toBe(health);
    expect(withoutRest(health, 'rate_limit', HERE)).toBe(HEALTHY);
    const refused = healthAsTold(health, refusedAt(0).refused!, HERE);
    expect(takesAt(refused, SECOND, THERE)).toBe(false);
    expect(withoutRest(refused, 'refused', HERE)).toEqual(health);
  });

  it('doubles waits that nobody asked for, whichever process the provider refused last', () => {
    let healths = [HEALTHY, HEALTHY, HEALTHY];
    let nowMs = 0;
    const waits: number[] = [];
    for (let count = 0; count < 7; count++) {
      const at = count % healths.length;
      const own = rested(nowMs, {}, healths[at]);
      const rest = own.cooling.get(HERE)!;
      const { untilMs } = rest;
      waits.push((untilMs! - nowMs) / SECOND);
      const told = { ...rest, count: 1 };
      healths = healths.map((health, other) => (other === at ? own : healthAsTold(health, told, HERE)));
      nowMs = untilMs!;
    }
    expect(waits).toEqual([10, 20, 40, 80, 160, 300, 300]);
  });

  it('is the same rest where several processes are refused at once', () => {
    const own = rested(0);
    const told = { ...rested(100).cooling.get(HERE)!, count: 1 };
    expect(healthAsTold(own, told, HERE).cooling.get(HERE)).toMatchObject({ count: 1, untilMs: 10_100 });
  });
});

it('is news where a rest begins or ends, is of another kind, or ends a second earlier or later', () => {
  const rest = rested(0, { waitMs: 30 * SECOND }).cooling.get(HERE)!;
  const endingAt = (untilMs: number) => ({ ...rest, untilMs });
  expect([
    isNews(null, rest),
    isNews(rest, null),
    isNews(rest, { ...rest, kind: 'forbidden' }),
  ]).not.toContain(false);
  expect([29_000, 29_001, 30_999, 31_000].map((untilMs) => isNews(rest, endingAt(untilMs)))).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

it('passes no two calls within a minute of a long rest, whatever happens meanwhile', () => {
  const step = fc.record({
    afterMs: fc.integer({ min: 1, max: 30 * SECOND }),
    lateMs: fc.integer({ min: 1, max: 10 * MINUTE }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      let health = rested(0, { waitMs: HOUR });
      let nowMs = 0;
      const passedAt = [0];
      for (const { afterMs, lateMs } of steps) {
        nowMs += afterMs;
        const { passed, health: after } = passCredential(health, HERE, nowMs);
        health = after;
        if (passed) passedAt.push(nowMs);
        // An answer to a call from before the rest began.
        health = succeededAt(health, -lateMs);
      }
      const gaps = passedAt.slice(1).map((at, index) => at - passedAt[index]!);
      expect(gaps.every((gap) => gap >= MINUTE)).toBe(true);
    }),
  );
});
