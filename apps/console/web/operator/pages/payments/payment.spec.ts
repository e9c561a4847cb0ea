import { canBeRefunded, isWholeCents, restOf, type Payment } from './payment';

const paid = (change: Partial<Payment>): Payment =>
  ({
    state: 'succeeded',
    amount_nanos: 50_000_000_000n,
    refunded_nanos: 0n,
    disputed_nanos: 0n,
    ...change,
  }) as Payment;

it('what is left of a payment is exact', () => {
  expect(restOf(paid({ refunded_nanos: 10_000_000n, disputed_nanos: 20_000_000n }))).toBe(49_970_000_000n);
});

it('a payment can be refunded while it was credited, and something is left of it', () => {
  expect(canBeRefunded(paid({}))).toBe(true);
  expect(canBeRefunded(paid({ state: 'review' }))).toBe(false);
  expect(canBeRefunded(paid({ state: 'partially_refunded', refunded_nanos: 50_000_000_000n }))).toBe(false);
});

it('whole cents are told from parts of them', () => {
  expect([isWholeCents(10_000_000n), isWholeCents(10_000_001n)]).toEqual([true, false]);
});
