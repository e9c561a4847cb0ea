export { openStripe } from './open-stripe';
export { checkPaymentVariables, paymentSettings, paymentVariables } from './payment-settings';
