import { type JudgedCalls, judgeRollout, type RolloutLimits } from './judge-rollout';

const LIMITS: RolloutLimits = { maxErrorRateBps: 500, maxTtftP95Ms: 1_000, minCalls: 100 };
const calls = (more: Partial<JudgedCalls> = {}): JudgedCalls => ({
  ended: 100,
  failed: 0,
  begun: 100,
  ttftP95Ms: 1_000,
  ...more,
});
const judged = (more: Partial<JudgedCalls>, limits: Partial<RolloutLimits> = {}, isOver = false) =>
  judgeRollout({ ...LIMITS, ...limits }, calls(more), isOver);

describe('a rollout', () => {
  it('goes on at its limits, and ends beyond them', () => {
    expect(judged({ failed: 5 })).toBeNull();
    expect(judged({ failed: 6 })).toBe('error_rate');
    expect(judged({ ttftP95Ms: 1_001 })).toBe('latency');
  });

  it('is not judged by fewer calls than it says', () => {
    expect(judged({ ended: 99, failed: 99 })).toBeNull();
    expect(judged({ begun: 99, ttftP95Ms: 9_000 })).toBeNull();
    expect(judged({ ended: 1, failed: 1 }, { minCalls: 1 })).toBe('error_rate');
  });

  it('has no limit where it sets none', () => {
    expect(judged({ failed: 100 }, { maxErrorRateBps: null })).toBeNull();
    expect(judged({ ttftP95Ms: 9_000 }, { maxTtftP95Ms: null })).toBeNull();
    expect(judged({ failed: 100 }, { maxErrorRateBps: 10_000 })).toBeNull();
    expect(judged({ begun: 0, ttftP95Ms: null }, { minCalls: 1 })).toBeNull();
  });

  it('whose end has come is completed, unless it fails', () => {
    expect(judged({}, {}, true)).toBe('ended');
    expect(judged({ ended: 0 }, {}, true)).toBe('ended');
    expect(judged({ failed: 50 }, {}, true)).toBe('error_rate');
  });
});
