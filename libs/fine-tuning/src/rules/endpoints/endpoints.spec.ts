import fc from 'fast-check';
import { type ProviderEndpoint } from '../provider/endpoint-driver';
import { requireDeletable, requireStartable, requireStoppable } from './endpoint-changes';
import {
  endpointStates,
  isUp,
  PROVIDER_IDLE_MINUTES_MORE,
  RUNNING_ENDPOINTS_MAX,
  stopReasons,
} from './endpoint-state';
import { judgeService, judgeStart, judgeStop, type ProviderReport } from './judge-run';
import { idleAt, type StopFacts, stopReasonOf, stopsAt } from './stop-rules';

const T0 = new Date('2026-12-04T10:00:00Z');
const after = (seconds: number) => new Date(T0.getTime() + seconds * 1_000);
const is = (state: ProviderEndpoint['state'], servedUntil: Date | null = null): ProviderReport => ({
  kind: 'is',
  endpoint: {
    ...{ id: 'endpoint-1', state, inferenceModel: 'acme/ft-1' },
    ...{ servingSince: null, servedUntil, idleTimeoutMinutes: null },
  },
});
const NOTHING: ProviderReport = { kind: 'nothing' };
const GONE: ProviderReport = { kind: 'gone' };
const REFUSED: ProviderReport = { kind: 'refused' };

describe('a start', () => {
  const judge = (said: ProviderReport, seconds = 0, wasMade = true) =>
    judgeStart({ requestedAt: T0, startTimeoutMs: 60_000, wasMade }, said, after(seconds)).action;

  it.each([
    ['serves once the provider does', is('started'), 'serve'],
    ['waits while the provider prepares it', is('pending'), 'wait'],
    ['waits while the provider is out of reach', NOTHING, 'wait'],
    ['fails where the provider refuses it', REFUSED, 'fail'],
    ['fails where the provider could not', is('error'), 'fail'],
    ['fails where the provider stopped it', is('stopped'), 'fail'],
    ['fails where the provider lost it', GONE, 'fail'],
  ])('%s', (_, said, does) => {
    expect(judge(said)).toBe(does);
  });

  it('that the provider has not got yet waits', () => {
    expect(judge(GONE, 0, false)).toBe('wait');
  });

  it('that takes longer than the catalog says fails, whatever the provider answers, unless it serves', () => {
    expect([judge(is('pending'), 59), judge(is('pending'), 60)]).toEqual(['wait', 'fail']);
    expect([judge(NOTHING, 60), judge(GONE, 60, false)]).toEqual(['fail', 'fail']);
    expect(judge(is('started'), 600)).toBe('serve');
  });
});

describe('a run', () => {
  it('serves while the provider says so, and nothing follows from no answer', () => {
    expect(judgeService(is('started'), T0, after(9))).toEqual({ action: 'serve' });
    expect(judgeService(NOTHING, T0, after(9))).toEqual({ action: 'wait' });
  });

  it.each([
    ['is gone', GONE],
    ['has failed', is('error')],
    ['was stopped', is('stopped')],
    ['is being stopped', is('stopping')],
  ])('that %s at the provider ends, and is charged to when it was last seen', (_, said) => {
    const verdict = judgeService(said, after(5), after(9));
    expect(verdict).toEqual({ action: 'end', servedUntil: after(5), reason: 'provider_error' });
  });

  it('is charged to when the provider says that it ended, but never ahead of the clock', () => {
    expect(judgeService(is('stopped', after(7)), after(5), after(9))).toMatchObject({
      servedUntil: after(7),
    });
    expect(judgeService(is('stopped', after(99)), after(5), after(9))).toMatchObject({
      servedUntil: after(9),
    });
  });
});

describe('a stop', () => {
  const judge = (said: ProviderReport, seconds: number, hasCallsInFlight = false) =>
    judgeStop({ stoppedServingAt: T0, hasCallsInFlight }, said, after(seconds));

  it('is ordered until the provider confirms it', () => {
    for (const said of [is('started'), is('pending'), is('stopping'), NOTHING])
      for (const seconds of [0, 1, 100_000]) expect(judge(said, seconds)).toEqual({ action: 'order' });
  });

  it('gives calls in flight 60 seconds', () => {
    expect(judge(is('started'), 59, true)).toEqual({ action: 'drain' });
    expect(judge(is('started'), 60, true)).toEqual({ action: 'order' });
  });

  it.each([
    ['gone', GONE],
    ['stopped', is('stopped')],
    ['failed', is('error')],
    ['stopped later', is('stopped', after(30))],
  ])('is confirmed by one that is %s, and nothing after our order is charged', (_, said) => {
    expect(judge(said, 90)).toEqual({ action: 'confirm', servedUntil: T0 });
  });

  it('is charged to when it really ended, where that was before our order', () => {
    expect(judge(is('stopped', after(-20)), 5)).toEqual({ action: 'confirm', servedUntil: after(-20) });
  });
});

describe('a run ends', () => {
  const facts: StopFacts = {
    runningSince: T0,
    lastCallAt: null,
    hasCallsInFlight: false,
    idleStopMinutes: 60,
    maxSeconds: 86_400,
    heldUntilSecond: 600,
    holdRefusal: null,
    isModelDeleted: false,
    isSuspended: false,
    isOffered: true,
  };
  const reason = (change: Partial<StopFacts>, seconds: number) =>
    stopReasonOf({ ...facts, ...change }, after(seconds));

  it('for no reason while all is well', () => {
    expect(reason({}, 3_599)).toBeNull();
  });

  it.each<[string, Partial<StopFacts>, number]>([
    ['organization_suspended', { isSuspended: true }, 0],
    ['model_deleted', { isModelDeleted: true }, 0],
    ['operator', { isOffered: false }, 0],
    ['max_hours', { maxSeconds: 36 }, 36],
    ['budget', { holdRefusal: 'budget' }, 600],
    ['wallet_empty', { holdRefusal: 'wallet_empty' }, 600],
    ['idle', {}, 3_600],
    ['idle', { lastCallAt: after(600) }, 4_200],
  ])('with %s: %j', (expected, change, seconds) => {
    expect(reason(change, seconds)).toBe(expected);
    if (seconds > 0) expect(reason(change, seconds - 1)).toBeNull();
  });

  it('not as idle while a call is in flight, however long it takes', () => {
    expect(reason({ hasCallsInFlight: true }, 80_000)).toBeNull();
  });

  it('not before its held slice does, though the next one was refused', () => {
    expect(reason({ holdRefusal: 'wallet_empty', heldUntilSecond: 1_200 }, 1_199)).toBeNull();
  });

  it('at the time that is told ahead, if nothing else comes', () => {
    fc.assert(
      fc.property(
        fc.record({
          lastCall: fc.option(fc.integer({ min: 0, max: 90_000 })),
          idleStopMinutes: fc.integer({ min: 1, max: 1_440 }),
          maxSeconds: fc.integer({ min: 36, max: 100_000 }),
          heldUntilSecond: fc.integer({ min: 1, max: 100_000 }),
          holdRefusal: fc.constantFrom(null, 'budget' as const, 'wallet_empty' as const),
        }),
        ({ lastCall, ...change }) => {
          const changed = { ...facts, ...change, lastCallAt: lastCall === null ? null : after(lastCall) };
          const end = stopsAt(changed);
          expect(stopReasonOf(changed, end)).not.toBeNull();
          expect(stopReasonOf(changed, new Date(end.getTime() - 1_000))).toBeNull();
        },
      ),
    );
  });

  it('as idle so many minutes after the last call, or after it began to serve', () => {
    expect(idleAt({ ...facts, idleStopMinutes: 1 })).toEqual(after(60));
    expect(idleAt({ ...facts, idleStopMinutes: 1, lastCallAt: after(30) })).toEqual(after(90));
    // A call that ended before this run.
    expect(idleAt({ ...facts, idleStopMinutes: 1, lastCallAt: after(-500) })).toEqual(after(60));
  });
});

describe('an order', () => {
  const allowed = (require: (state: (typeof endpointStates)[number]) => void) =>
    endpointStates.filter((state) => {
      try {
        require(state);
        return true;
      } catch {
        return false;
      }
    });

  it('is taken in the states of the reference only', () => {
    expect(allowed(requireStartable)).toEqual(['stopped', 'failed']);
    expect(allowed(requireStoppable)).toEqual(['starting', 'running']);
    expect(allowed(requireDeletable)).toEqual(['stopped', 'failed']);
    expect(endpointStates.filter(isUp)).toEqual(['starting', 'running', 'stopping']);
  });

  it('has the reasons and the limits of the reference', () => {
    expect(stopReasons).toHaveLength(10);
    expect([RUNNING_ENDPOINTS_MAX, PROVIDER_IDLE_MINUTES_MORE]).toEqual([3, 15]);
  });
});
