import { type GatewayError } from '@svc/kernel';
import { FakeClock } from '@svc/testing';
import fc from 'fast-check';
import { CallerBuckets } from './caller-buckets';

const key = (id: string) => ({ actor: { type: 'api_key', id }, userId: null }) as const;

function taken(buckets: CallerBuckets, caller = key('key_1')): GatewayError | null {
  try {
    buckets.take(caller);
    return null;
  } catch (error) {
    return error as GatewayError;
  }
}

describe('the management calls of one caller', () => {
  it('are refused beyond those of a minute, and say when there is room again', () => {
    const clock = new FakeClock();
    const buckets = new CallerBuckets({ callsPerMinute: 60, clock });
    for (let call = 0; call < 60; call++) expect(taken(buckets)).toBeNull();
    const refused = taken(buckets);
    expect(refused).toMatchObject({ message: expect.stringContaining('60'), retryAfterMs: 1_000 });
    clock.advance(999);
    expect(taken(buckets)).not.toBeNull();
    clock.advance(1);
    expect(taken(buckets)).toBeNull();
    expect(taken(buckets)).not.toBeNull();
  });

  it('are of a key, of a person, or of a person by an app: none takes from another', () => {
    const buckets = new CallerBuckets({ callsPerMinute: 1, clock: new FakeClock() });
    const callers = [
      key('key_1'),
      key('key_2'),
      { actor: { type: 'user', id: 'usr_1' }, userId: 'usr_1' },
      { actor: { type: 'oauth_app', id: 'oapp_1' }, userId: 'usr_1' },
      { actor: { type: 'oauth_app', id: 'oapp_1' }, userId: 'usr_2' },
    ] as const;
    expect(callers.map((caller) => taken(buckets, caller as never))).toEqual(callers.map(() => null));
    for (const caller of callers) expect(taken(buckets, caller as never)).not.toBeNull();
  });

  it('are never more than a minute’s and what was refilled, whenever they come', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 300 }),
        (callsPerMinute, pauses) => {
          const clock = new FakeClock();
          const buckets = new CallerBuckets({ callsPerMinute, clock });
          let [passedMs, letThrough] = [0, 0];
          for (const pauseMs of pauses) {
            clock.advance(pauseMs);
            passedMs += pauseMs;
            if (taken(buckets) === null) letThrough += 1;
            expect(letThrough).toBeLessThanOrEqual(callsPerMinute * (1 + passedMs / 60_000) + 1e-6);
          }
        },
      ),
    );
  });

  it('have no bound where none is set', () => {
    const buckets = new CallerBuckets({ callsPerMinute: null, clock: new FakeClock() });
    for (let call = 0; call < 1_000; call++) expect(taken(buckets)).toBeNull();
  });
});
