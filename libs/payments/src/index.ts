export { CENT, TOP_UP_MAX, TOP_UP_MIN } from './rules/amount';
export { lookUpAgainMs } from './rules/look-up-again';
export { isCredited, isOpen, paymentStates, type PaymentState } from './rules/payment-state';
export { ProviderUnavailable, type PaymentProvider } from './rules/provider';
