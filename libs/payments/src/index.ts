export { CENT, centsOf, CURRENCY, nanosOfCents, TOP_UP_MAX, TOP_UP_MIN } from './amount';
export {
  afterFailedCharge,
  AUTO_TOP_UP_PAUSE_MS,
  disabledMail,
  nextAutoTopUp,
  type AutoTopUpRule,
  type DisabledReason,
} from './auto-top-up';
export { type NewSetup, type ProviderSetup, type SavedCard } from './card';
export {
  clawBack,
  clawBackTarget,
  collectOwed,
  creditedState,
  writeOff,
  type ClawedBack,
  type PaidBack,
} from './claw-back';
export { judgePayment, type JudgedPayment, type Verdict } from './judgement';
export { lookUpAgainMs } from './look-up-again';
export { CHECKOUT_MS, nextLook, REPEATABLE_MS } from './next-look';
export { isCredited, isOpen, paymentStates, type PaymentState } from './payment-state';
export {
  ChargeRefused,
  ProviderUnavailable,
  RefundRefused,
  type NewCharge,
  type NewCheckout,
  type NewRefund,
  type PaymentProvider,
  type ProviderEventFacts,
  type ProviderPayment,
} from './provider';
