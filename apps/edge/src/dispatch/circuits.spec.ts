import { FakeClock } from '@svc/testing';
import { Circuits } from './circuits';

let clock: FakeClock;
let circuits: Circuits;
beforeEach(() => {
  clock = new FakeClock(0);
  circuits = new Circuits(clock);
});

const failing = (times: number): void => {
  for (let call = 0; call < times; call++) circuits.failed('a');
};

describe('what is told of circuits', () => {
  it('is of endpoints that were planned with, also while they are left out', () => {
    failing(5);
    expect(circuits.facts()).toEqual([]);
    clock.advance(1_000);
    expect(circuits.openForPlan.has('a')).toBe(true);
    expect(circuits.openForPlan.has('b')).toBe(false);
    clock.advance(1_000);
    expect(circuits.isOpen('a')).toBe(true);
    expect(circuits.facts()).toEqual([
      { endpointId: 'a', openSinceMs: 0, openUntilMs: 30_000, plannedAtMs: 1_000 },
      { endpointId: 'b', openSinceMs: null, openUntilMs: null, plannedAtMs: 1_000 },
    ]);
  });

  it('is open through the tries that fail, until one succeeds', () => {
    circuits.openForPlan.has('a');
    failing(5);
    clock.advance(30_000);
    expect([circuits.isOpen('a'), circuits.pass('a')]).toEqual([false, true]);
    expect(circuits.facts()).toMatchObject([{ openSinceMs: 0 }]);
    failing(1);
    expect(circuits.facts()).toMatchObject([{ openSinceMs: 0 }]);
    circuits.succeeded('a');
    expect(circuits.facts()).toMatchObject([{ openSinceMs: null }]);
  });

  it('changes when a circuit opens and closes, and not in between', () => {
    let changes = 0;
    circuits.watch(() => changes++);
    const after = (change: () => void): number => {
      change();
      return changes;
    };
    expect([
      after(() => failing(4)),
      after(() => failing(1)),
      after(() => failing(3)),
      after(() => circuits.succeeded('a')),
      after(() => circuits.succeeded('a')),
      after(() => circuits.succeeded('b')),
    ]).toEqual([0, 1, 1, 2, 2, 2]);
  });
});
