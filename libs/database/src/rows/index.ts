export { type AutoTopUp, type Payment, type PaymentMethod } from '../generated/prisma/client';
