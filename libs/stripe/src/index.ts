export { openStripe } from './open-stripe';
export {
  paymentSettings,
  paymentVariables,
  checkPaymentVariables,
  type PaymentSettings,
} from './payment-settings';
