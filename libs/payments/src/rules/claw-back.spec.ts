import { nanos, type Nanos } from '@svc/kernel';
import fc from 'fast-check';
import { clawBack, clawBackTarget, collectOwed, writeOff, type ClawedBack, type PaidBack } from './claw-back';

const CREDITED = nanos(50_000_000_000);
const NOTHING: ClawedBack = { taken: nanos(0), owed: nanos(0), writtenOff: nanos(0) };
const amount = fc.bigInt({ min: 0n, max: 2n * CREDITED }).map((value) => nanos(value));
const totals: fc.Arbitrary<PaidBack> = fc.record({ refunded: amount, withdrawn: amount, reinstated: amount });
const sumOf = ({ taken, owed, writtenOff }: ClawedBack): bigint => taken + owed + writtenOff;

interface Step {
  readonly seen: PaidBack;
  readonly available: Nanos;
  readonly after: 'nothing' | 'collect' | 'write off';
}
const step: fc.Arbitrary<Step> = fc.record({
  seen: totals,
  available: amount,
  after: fc.constantFrom('nothing', 'collect', 'write off'),
});

function take(booked: ClawedBack, { seen, available, after }: Step): ClawedBack {
  const moved = clawBack(booked, clawBackTarget(CREDITED, seen), available);
  if (after === 'collect') return collectOwed(moved, available);
  return after === 'write off' ? writeOff(moved) : moved;
}

it('what is booked is what the last totals ask for, whatever was seen before', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), totals, amount, (steps, last, available) => {
      const target = clawBackTarget(CREDITED, last);
      const booked = clawBack(steps.reduce(take, NOTHING), target, available);
      expect(sumOf(booked)).toBe(target);
      expect(clawBack(booked, target, nanos(0))).toEqual(booked);
    }),
  );
});

it('never takes more than the wallet has, and no part is ever negative', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), step, (steps, last) => {
      const before = steps.reduce(take, NOTHING);
      const after = clawBack(before, clawBackTarget(CREDITED, last.seen), last.available);
      expect(after.taken - before.taken <= last.available).toBe(true);
      for (const part of [after.taken, after.owed, after.writtenOff]) expect(part >= 0n).toBe(true);
    }),
  );
});

it('claws back no more than was credited, and nothing of a dispute that was won', () => {
  fc.assert(
    fc.property(totals, amount, (seen, disputed) => {
      expect(clawBackTarget(CREDITED, seen) <= CREDITED).toBe(true);
      const won = { refunded: nanos(0), withdrawn: disputed, reinstated: disputed };
      expect(clawBackTarget(CREDITED, won)).toBe(0n);
    }),
  );
});
