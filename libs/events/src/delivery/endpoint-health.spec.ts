import fc from 'fast-check';
import { type EventType } from '../catalog/event-catalogue';
import {
  healthAfter,
  healthAfterPatch,
  isEnabledState,
  NEW_ENDPOINT_HEALTH,
  type EndpointHealth,
  type EndpointState,
} from './endpoint-health';

const after = (health: EndpointHealth, failures: number, eventType: EventType = 'api_key.created') => {
  let change = { health, isNowDisabled: false };
  for (let at = 0; at < failures; at++) change = healthAfter(change.health, 'failed', eventType);
  return change;
};
const failed = (count: number) => after(NEW_ENDPOINT_HEALTH, count).health;
const states: readonly EndpointState[] = ['active', 'failing', 'paused', 'disabled'];

describe('the health of an endpoint', () => {
  it.each([
    [9, 'active'],
    [10, 'failing'],
    [24, 'failing'],
    [25, 'disabled'],
  ])('after %i consecutive failures is %s', (failures, state) => {
    expect(failed(failures)).toEqual({ state, consecutiveFailures: failures });
  });

  it('29: reports that it was disabled once: with the 25th failure, not with those still in flight', () => {
    expect(after(NEW_ENDPOINT_HEALTH, 24).isNowDisabled).toBe(false);
    expect(after(NEW_ENDPOINT_HEALTH, 25).isNowDisabled).toBe(true);
    expect(after(NEW_ENDPOINT_HEALTH, 26).isNowDisabled).toBe(false);
  });

  it.each([1, 10, 24])('is active again with the first 2xx after %i failures, also of a test', (failures) => {
    for (const eventType of ['policy.updated', 'webhook.test'] as const) {
      expect(healthAfter(failed(failures), 'acknowledged', eventType)).toEqual({
        health: NEW_ENDPOINT_HEALTH,
        isNowDisabled: false,
      });
    }
  });

  it.each(['paused', 'disabled'] as const)('stays %s after any outcome of attempts in flight', (state) => {
    const health = { state, consecutiveFailures: 24 };
    expect(healthAfter(health, 'acknowledged', 'api_key.created').health).toEqual({
      state,
      consecutiveFailures: 0,
    });
    expect(healthAfter(health, 'failed', 'api_key.created')).toEqual({
      health: { state, consecutiveFailures: 25 },
      isNowDisabled: false,
    });
  });

  it('is not changed by a test that fails, nor by an attempt that was lost', () => {
    expect(after(failed(24), 5, 'webhook.test')).toEqual({ health: failed(24), isNowDisabled: false });
    expect(healthAfter(failed(24), 'worker_lost', 'api_key.created').health).toEqual(failed(24));
  });

  it('is paused from any state by enabled: false, and keeps its failures', () => {
    for (const state of states) {
      const paused = { state: 'paused', consecutiveFailures: 12 };
      expect(healthAfterPatch({ state, consecutiveFailures: 12 }, false)).toEqual(paused);
    }
  });

  it('is reset by enabled: true where the platform disabled it, also where it was paused after that', () => {
    const disabled = { state: 'disabled', consecutiveFailures: 25 } as const;
    expect(healthAfterPatch(disabled, true)).toEqual(NEW_ENDPOINT_HEALTH);
    expect(healthAfterPatch(healthAfterPatch(disabled, false), true)).toEqual(NEW_ENDPOINT_HEALTH);
  });

  it.each([
    ['active', 3, 'active'],
    ['failing', 12, 'failing'],
    ['paused', 9, 'active'],
    ['paused', 10, 'failing'],
  ] as const)(
    'that is %s keeps its %d failures by enabled: true, and is %s',
    (state, consecutiveFailures, then) => {
      expect(healthAfterPatch({ state, consecutiveFailures }, true)).toEqual({
        state: then,
        consecutiveFailures,
      });
    },
  );

  it('follows the failure count while enabled, and is disabled at most once between two resets', () => {
    const anyStep = fc.constantFrom(
      'failed',
      'failed',
      'failed',
      'worker_lost',
      'acknowledged',
      'pause',
      'arm',
    );
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 300 }), (steps) => {
        let health = NEW_ENDPOINT_HEALTH;
        let disabledSinceArmed = 0;
        for (const step of steps) {
          if (step === 'pause' || step === 'arm') {
            health = healthAfterPatch(health, step === 'arm');
            if (step === 'arm') disabledSinceArmed = 0;
          } else {
            const change = healthAfter(health, step as 'failed', 'api_key.created');
            health = change.health;
            if (change.isNowDisabled) disabledSinceArmed++;
          }
          expect(disabledSinceArmed).toBeLessThanOrEqual(1);
          expect(health.consecutiveFailures).toBeGreaterThanOrEqual(0);
          if (isEnabledState(health.state)) {
            expect(health.state).toBe(health.consecutiveFailures >= 10 ? 'failing' : 'active');
            expect(health.consecutiveFailures).toBeLessThan(25);
          }
        }
      }),
    );
  });
});
