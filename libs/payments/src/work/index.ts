export { openSettlement } from './open-settlement';
export { PaymentMethodSettlement } from './payment-method-settlement';
export { PaymentSettlement } from './payment-settlement';
