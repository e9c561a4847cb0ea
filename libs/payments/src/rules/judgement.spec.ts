import { nanos } from '@svc/kernel';
import fc from 'fast-check';
import { judgePayment, type JudgedPayment } from './judgement';
import { paymentStates, type PaymentState } from './payment-state';
import { type ProviderPayment } from './provider';

const payment = (state: PaymentState, isCancelRequested = false): JudgedPayment => ({
  id: 'pay_1',
  state,
  amount: nanos(50_000_000_000),
  currency: 'usd',
  livemode: false,
  isCancelRequested,
});

const found = (facts: Partial<ProviderPayment> = {}): ProviderPayment => ({
  reference: 'cs_1',
  intentReference: 'pi_1',
  paymentId: 'pay_1',
  standing: 'paid',
  amountCents: 5_000n,
  currency: 'usd',
  livemode: false,
  failureCode: null,
  savedCard: null,
  checkoutUrl: null,
  refundedCents: 0n,
  withdrawnCents: 0n,
  reinstatedCents: 0n,
  ...facts,
});

const UNPAID: readonly PaymentState[] = ['created', 'pending', 'failed', 'expired', 'cancelled'];

it.each(UNPAID)('what is paid is credited, even if the payment was %s', (state) => {
  expect(judgePayment(payment(state), found())).toEqual({ action: 'succeed' });
});

it.each([
  ['amount', { amountCents: 4_999n }],
  ['currency', { currency: 'eur' }],
  ['livemode', { livemode: true }],
  ['metadata', { paymentId: 'pay_2' }],
  ['metadata', { paymentId: null }],
] as const)('what is paid with another %s waits for a person', (reason, facts) => {
  for (const state of UNPAID) {
    expect(judgePayment(payment(state), found(facts))).toEqual({ action: 'review', reason });
  }
});

it('only what the provider calls paid, and is exactly what was asked for, is ever credited', () => {
  const anything = fc.record({
    standing: fc.constantFrom('open', 'paid', 'ended'),
    amountCents: fc.constantFrom(5_000n, 4_999n, 500_000n),
    currency: fc.constantFrom('usd', 'eur'),
    livemode: fc.boolean(),
    paymentId: fc.constantFrom('pay_1', 'pay_2', null),
    failureCode: fc.constantFrom(null, 'card_declined'),
  });
  fc.assert(
    fc.property(fc.constantFrom(...paymentStates), fc.boolean(), anything, (state, isCancelled, facts) => {
      const { action } = judgePayment(payment(state, isCancelled), found(facts as Partial<ProviderPayment>));
      const isExact =
        facts.standing === 'paid' &&
        facts.amountCents === 5_000n &&
        facts.currency === 'usd' &&
        !facts.livemode &&
        facts.paymentId === 'pay_1';
      expect(action === 'succeed').toBe(isExact && UNPAID.includes(state));
    }),
  );
});

it('a checkout whose card was declined has failed, and may still be paid', () => {
  const declined = found({ standing: 'open', failureCode: 'card_declined' });
  expect(judgePayment(payment('pending'), declined)).toEqual({
    action: 'fail',
    failureCode: 'card_declined',
  });
  expect(judgePayment(payment('failed'), declined)).toEqual({ action: 'nothing' });
  expect(judgePayment(payment('failed'), found())).toEqual({ action: 'succeed' });
});

it.each([
  ['created', false, 'expired'],
  ['pending', false, 'expired'],
  ['pending', true, 'cancelled'],
  ['failed', true, 'cancelled'],
] as const)(
  'a payment that was %s (cancelled: %s) ends as %s once it cannot be paid',
  (state, cancelled, end) => {
    for (const gone of [null, found({ standing: 'ended' })]) {
      expect(judgePayment(payment(state, cancelled), gone)).toEqual({ action: 'end', state: end });
    }
    expect(judgePayment(payment(state, cancelled), found({ standing: 'open' })).action).not.toBe('end');
  },
);

it.each(['review', 'dismissed'] as const)('nothing that the provider says moves a payment in %s', (state) => {
  expect(judgePayment(payment(state), found())).toEqual({ action: 'nothing' });
});
