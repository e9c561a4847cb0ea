export { openSettlement } from './open-settlement';
export { PaymentSettlement } from './payment-settlement';
export { givenUpEvents, workOffEvents } from './work-off-events';
