import { GatewayError } from '@svc/kernel';
import fc from 'fast-check';

import { admit, giveBack, rateLimitError, refuseOversizedDemand } from './admit';
import { DROPS_PER_UNIT, type Bucket, type BucketState } from './bucket';
import { bucketsFor } from './limits';

const arbitraryBuckets = fc
  .tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 1_000_000 }))
  .chain(([requests, tokens]) =>
    fc.record({
      buckets: fc.constant(
        bucketsFor({ rpm: requests, tpm: tokens }, { rpm: requests * 2, tpm: tokens * 2 }),
      ),
      calls: fc.array(fc.record({ afterMs: fc.nat({ max: 20_000 }), tokens: fc.nat({ max: tokens }) }), {
        maxLength: 60,
      }),
    }),
  );

const oneBucket = (capacity: number): readonly Bucket[] => [{ scope: 'key', unit: 'tokens', capacity }];
const tokens = (count: number) => ({ requests: 1, tokens: count });
const units = (state: BucketState | undefined) => state!.level / DROPS_PER_UNIT;

describe('admit', () => {
  it('keeps every level between zero and capacity', () => {
    fc.assert(
      fc.property(arbitraryBuckets, ({ buckets, calls }) => {
        let states: readonly BucketState[] = [];
        let nowMs = 0;
        for (const call of calls) {
          nowMs += call.afterMs;
          states = admit(buckets, states, tokens(call.tokens), nowMs).states;
          buckets.forEach((bucket, at) => {
            expect(units(states[at])).toBeGreaterThanOrEqual(0);
            expect(units(states[at])).toBeLessThanOrEqual(bucket.capacity);
          });
        }
      }),
    );
  });

  it('never admits more in any window than the capacity and its refill', () => {
    fc.assert(
      fc.property(arbitraryBuckets, ({ buckets, calls }) => {
        let states: readonly BucketState[] = [];
        let nowMs = 0;
        const admitted: { atMs: number; tokens: number }[] = [];
        for (const call of calls) {
          nowMs += call.afterMs;
          const admission = admit(buckets, states, tokens(call.tokens), nowMs);
          states = admission.states;
          if (admission.admitted) admitted.push({ atMs: nowMs, tokens: call.tokens });
        }
        const capacity = buckets[1]!.capacity;
        admitted.forEach(({ atMs: from }, first) => {
          let total = 0;
          for (const { atMs: to, tokens: taken } of admitted.slice(first)) {
            total += taken;
            expect(total * 60_000).toBeLessThanOrEqual(capacity * (60_000 + to - from));
          }
        });
      }),
    );
  });

  it('takes the demand out of all buckets or out of none', () => {
    fc.assert(
      fc.property(arbitraryBuckets, ({ buckets, calls }) => {
        let states: readonly BucketState[] = [];
        for (const call of calls) {
          const before = admit(buckets, states, tokens(0), 0);
          const asked = admit(buckets, states, tokens(call.tokens), 0);
          const refilled = states.length === 0 ? buckets.map(({ capacity }) => capacity) : states.map(units);
          buckets.forEach((bucket, at) => {
            const demand = bucket.unit === 'requests' ? 1 : call.tokens;
            expect(units(asked.states[at])).toBe(refilled[at]! - (asked.admitted ? demand : 0));
          });
          expect(before.admitted || !asked.admitted).toBe(true);
          states = asked.states;
        }
      }),
    );
  });

  it('admits after exactly the announced wait, and not a second earlier', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.nat(), fc.nat(), (capacity, spent, wanted) => {
        const buckets = oneBucket(capacity);
        const { states } = admit(buckets, [], tokens(spent % (capacity + 1)), 0);
        const refused = admit(buckets, states, tokens(wanted % (capacity + 1)), 0);
        fc.pre(!refused.admitted);
        const waitMs = refused.retryAfterSeconds * 1000;
        const demand = tokens(wanted % (capacity + 1));
        expect(admit(buckets, refused.states, demand, waitMs).admitted).toBe(true);
        expect(admit(buckets, refused.states, demand, waitMs - 1000).admitted).toBe(false);
      }),
    );
  });

  it('takes nothing when one bucket is empty, and names the one that takes longest', () => {
    const buckets = bucketsFor({ rpm: 60, tpm: 600 }, { rpm: 6, tpm: 1000 });
    let states: readonly BucketState[] = [];
    for (let call = 0; call < 6; call++) states = admit(buckets, states, tokens(1), 0).states;
    const refused = admit(buckets, states, tokens(1), 0);
    expect(refused).toMatchObject({
      admitted: false,
      rejected: { scope: 'org', unit: 'requests' },
      retryAfterSeconds: 10,
    });
    expect(refused.states.map(units)).toEqual([54, 594, 0, 994]);
  });

  it('refills nothing when the clock is set back, and continues from there', () => {
    const { states } = admit(oneBucket(60), [], tokens(60), 3_600_000);
    const refused = admit(oneBucket(60), states, tokens(1), 0);
    expect(refused.states).toEqual([{ level: 0, updatedAtMs: 0 }]);
    expect(admit(oneBucket(60), refused.states, tokens(1), 999).admitted).toBe(false);
    expect(admit(oneBucket(60), refused.states, tokens(1), 1000).admitted).toBe(true);
  });

  it('admits exactly the refill, however often the clock is set back', () => {
    const steps = fc.array(
      fc.record({ byMs: fc.integer({ min: -5_000, max: 5_000 }), tokens: fc.nat({ max: 100 }) }),
      {
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), steps, (capacity, calls) => {
        const buckets = oneBucket(capacity);
        let states: readonly BucketState[] = [];
        let [nowMs, dueDrops] = [0, capacity * DROPS_PER_UNIT];
        for (const { byMs, tokens: asked } of calls) {
          nowMs += byMs;
          dueDrops = Math.min(capacity * DROPS_PER_UNIT, dueDrops + Math.max(0, byMs) * capacity);
          const { admitted, states: after } = admit(buckets, states, tokens(asked % (capacity + 1)), nowMs);
          if (admitted) dueDrops -= (asked % (capacity + 1)) * DROPS_PER_UNIT;
          expect(after[0]).toEqual({ level: dueDrops, updatedAtMs: nowMs });
          states = after;
        }
      }),
    );
  });

  it('applies a lowered limit', () => {
    const { states } = admit(oneBucket(1000), [], tokens(10), 0);
    expect(units(admit(oneBucket(50), states, tokens(0), 0).states[0])).toBe(50);
  });

  it('answers 400 for a demand above the capacity', () => {
    const attemptToAdmit = () => admit(oneBucket(100), [], tokens(101), 0);
    expect(attemptToAdmit).toThrow(GatewayError);
    expect(attemptToAdmit).toThrow(
      expect.objectContaining({ reason: 'invalidRequest', param: 'max_output_tokens' }) as Error,
    );
    expect(() => {
      refuseOversizedDemand(oneBucket(100), tokens(100));
    }).not.toThrow();
  });

  it('names the input of a call that has no output to limit', () => {
    expect(() => admit(oneBucket(100), [], { ...tokens(101), isInputOnly: true }, 0)).toThrow(
      expect.objectContaining({
        param: 'input',
        message: expect.stringMatching(/Shorten input\.$/),
      }) as Error,
    );
  });
});

describe('giveBack', () => {
  it('reverts an admission', () => {
    fc.assert(
      fc.property(arbitraryBuckets, ({ buckets, calls }) => {
        let states = admit(buckets, [], tokens(0), 0).states;
        for (const call of calls) {
          const admission = admit(buckets, states, tokens(call.tokens), 0);
          if (!admission.admitted) continue;
          expect(giveBack(buckets, admission.states, tokens(call.tokens))).toEqual(states);
          states = admission.states;
        }
      }),
    );
  });

  it('fills up to the limit of the admission and lowers no level, whatever the limits are now', () => {
    const capacity = fc.integer({ min: 1, max: 1000 });
    fc.assert(
      fc.property(capacity, capacity, fc.nat(), fc.nat({ max: 60_000 }), (old, later, taken, afterMs) => {
        const demand = tokens(taken % (old + 1));
        const taking = admit(oneBucket(old), [], demand, 0);
        const { states } = admit(oneBucket(later), taking.states, tokens(0), afterMs);
        const [returned] = giveBack(oneBucket(old), states, demand);
        const before = units(states[0]);
        expect(units(returned)).toBe(Math.max(before, Math.min(old, before + demand.tokens)));
        expect(units(returned)).toBeGreaterThanOrEqual(before);
        expect(units(returned)).toBeLessThanOrEqual(Math.max(old, later));
      }),
    );
  });

  it('does not lower the level of a bucket whose limit was raised meanwhile', () => {
    const { states } = admit(oneBucket(10), [], tokens(10), 0);
    const raised = admit(oneBucket(1000), states, tokens(0), 60_000).states;
    expect(giveBack(oneBucket(10), raised, tokens(10)).map(units)).toEqual([1000]);
  });

  it('never fills a bucket above its capacity', () => {
    const { states } = admit(oneBucket(100), [], tokens(1), 0);
    expect(giveBack(oneBucket(100), states, tokens(50)).map(units)).toEqual([100]);
  });
});

describe('rateLimitError', () => {
  it('names the bucket and the wait', () => {
    const error = rateLimitError({ scope: 'key', unit: 'tokens', capacity: 10 }, 7);
    expect(error).toMatchObject({ reason: 'rateLimit', param: 'tokens', retryAfterMs: 7000 });
    expect(error.message).toBe("The API key's limit of 10 tokens per minute is used up. Retry in 7 s.");
  });
});
