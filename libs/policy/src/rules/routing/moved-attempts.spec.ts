import fc from 'fast-check';
import { planRoute } from './plan-route';
import { type PlannedAttempt } from './planned-attempt';
import { arbitraryRouting, callOf, endpoint, factsOf, keyed, open } from './testing/arbitrary-routing';
import { GatewayError } from '@svc/kernel';

const named = (attempts: readonly PlannedAttempt[]) =>
  attempts.map((attempt) => `${attempt.endpoint.id} ${attempt.credential}`);

describe('the attempts of a call that a rollout takes', () => {
  const endpoints = [
    endpoint('open-eu', { price: 1 }),
    endpoint('keyed-eu', { provider: keyed, price: 2 }),
    endpoint('keyed-us', { provider: keyed, price: 3, region: 'us' }),
  ];
  const planned = (to: object, circumstances = {}) =>
    planRoute(callOf(), {
      ...factsOf(endpoints, { platform: ['keyed'], ...circumstances }),
      move: { to, isOtherModel: false },
    }).attempts;

  it('at its target come first, with the usual fallback', () => {
    const attempts = planned({ provider: 'keyed' });
    expect(named(attempts)).toEqual(['keyed-eu platform', 'keyed-us platform', 'open-eu none']);
    expect(attempts.map(({ placedBy }) => placedBy)).toEqual(['rollout', 'rollout', undefined]);
    expect(named(planned({ region: 'us' }))[0]).toBe('keyed-us platform');
    expect(named(planned({ provider: 'open', region: 'us' }))).toEqual(
      named(planRoute(callOf(), factsOf(endpoints, { platform: ['keyed'] })).attempts),
    );
  });

  it('are within the limit of attempts', () => {
    expect(named(planned({ region: 'us' }, { policy: { maxAttempts: 1 } }))).toEqual(['keyed-us platform']);
  });

  it('never come on the platform’s credential before one on the organization’s own', () => {
    expect(named(planned({ region: 'us' }, { own: ['open'] }))).toEqual([
      'open-eu own',
      'keyed-us platform',
      'open-eu none',
      'keyed-eu platform',
    ]);
  });

  it('are those of the plan, of which the rollout moves only its own, and lets no other own one fall behind', () => {
    const target = fc.record({
      provider: fc.constantFrom('open', 'keyed', 'anthropic'),
      region: fc.constantFrom('eu', 'us'),
    });
    fc.assert(
      fc.property(arbitraryRouting, target, ({ endpoints: some, circumstances, call }, to) => {
        const { maxAttempts: _all, ...policy } = circumstances.policy;
        const facts = factsOf(some, { ...circumstances, policy });
        const usual = attemptsOf(() => planRoute(call, facts).attempts);
        const moved = attemptsOf(
          () => planRoute(call, { ...facts, move: { to, isOtherModel: false } }).attempts,
        );
        expect(named(moved).toSorted()).toEqual(named(usual).toSorted());
        const isMoved = ({ placedBy }: PlannedAttempt) => placedBy === 'rollout';
        const others = named(moved.filter((attempt) => !isMoved(attempt)));
        const movedNames = new Set(named(moved.filter(isMoved)));
        expect(others).toEqual(named(usual).filter((name) => !movedNames.has(name)));
        for (const [at, attempt] of moved.entries()) {
          if (!isMoved(attempt) || attempt.credential === 'own') continue;
          expect(moved.slice(at).filter(({ credential }) => credential === 'own')).toEqual([]);
        }
      }),
    );
  });
});

function attemptsOf(plan: () => readonly PlannedAttempt[]): readonly PlannedAttempt[] {
  try {
    return plan();
  } catch (error) {
    if (error instanceof GatewayError) return [];
    throw error;
  }
}

it('a call is planned at any rate by the endpoints that there are', () => {
  const facts = factsOf([endpoint('open-eu', { provider: open })]);
  const move = { to: { provider: 'keyed' }, isOtherModel: true };
  const [attempt] = planRoute(callOf(), { ...facts, move }).attempts;
  expect(attempt).toMatchObject({ endpoint: { id: 'open-eu' }, placedBy: 'rollout' });
});
