import { nanos } from '@svc/kernel';
import fc from 'fast-check';
import { afterFailedCharge, nextAutoTopUp } from './auto-top-up';

const HOUR_MS = 3_600_000;
const dollars = (amount: number) => nanos(amount * 1e9);
const rule = { threshold: dollars(20), amount: dollars(10), monthlyCap: dollars(100) };

it.each([
  ['at the threshold nothing is charged', 20, 0, { action: 'nothing' }],
  ['one charge lifts the wallet to the threshold or above', 1, 0, { action: 'charge', amount: dollars(20) }],
  ['what the wallet owes is made up for', -15, 0, { action: 'charge', amount: dollars(40) }],
  ['the cap leaves the largest multiple', 1, 85, { action: 'charge', amount: dollars(10) }],
  ['what the cap leaves too little for is not charged', 1, 95, { action: 'stopAtCap', amount: dollars(20) }],
])('%s', (_what, available, charged, step) => {
  expect(nextAutoTopUp(rule, dollars(available), dollars(charged))).toEqual(step);
});

it('a charge is a multiple, never above cap or limit, and closes the gap where these leave room', () => {
  const cents = (max: number) => fc.integer({ min: 500, max }).map((value) => nanos(value * 10_000_000));
  fc.assert(
    fc.property(
      cents(9_000_000),
      cents(2_500_000),
      cents(9_000_000),
      cents(9_000_000),
      cents(9_000_000),
      (...all) => {
        const [threshold, amount, monthlyCap, available, charged] = all;
        const step = nextAutoTopUp({ threshold, amount, monthlyCap }, available, charged);
        if (step.action === 'nothing') return expect(available >= threshold).toBe(true);
        if (step.action === 'stopAtCap') return expect(monthlyCap - charged < amount).toBe(true);
        expect(step.amount % amount).toBe(0n);
        expect(step.amount + charged <= monthlyCap && step.amount <= dollars(25_000)).toBe(true);
        const isWhole = available + step.amount >= threshold;
        const hasNoRoom =
          step.amount + amount > monthlyCap - charged || step.amount + amount > dollars(25_000);
        expect(isWhole || hasNoRoom).toBe(true);
        // Never more than the gap asks for.
        return expect(available + step.amount - amount < threshold).toBe(true);
      },
    ),
  );
});

it('failures pause for longer each time, and the third in a row switches off', () => {
  expect(afterFailedCharge(1, 'card_declined')).toEqual({ pauseMs: HOUR_MS, disabledReason: null });
  expect(afterFailedCharge(2, 'card_declined')).toEqual({ pauseMs: 6 * HOUR_MS, disabledReason: null });
  expect(afterFailedCharge(3, 'card_declined')).toEqual({
    pauseMs: 24 * HOUR_MS,
    disabledReason: 'payment_failed',
  });
});

it('a charge that its payer has to confirm switches off at once', () => {
  expect(afterFailedCharge(1, 'authentication_required').disabledReason).toBe('authentication_required');
});
