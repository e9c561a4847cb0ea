import { type PaymentMethod } from '@svc/database/rows';

/** A card that the provider keeps. */
export interface PaymentMethodRecord {
  readonly id: string;
  readonly organizationId: string;
  readonly livemode: boolean;
  /** The provider's id. */
  readonly reference: string;
  readonly brand: string;
  readonly last4: string;
  readonly expMonth: number;
  readonly expYear: number;
  readonly createdBy: { readonly type: string; readonly id: string | null };
  readonly createdAt: Date;
}

/** @throws for one that was never set up: the database holds the others to having a card. */
export function toPaymentMethod(row: PaymentMethod): PaymentMethodRecord {
  const { providerReference: reference, brand, last4, expMonth, expYear } = row;
  if (reference === null || brand === null || last4 === null || expMonth === null || expYear === null) {
    throw new Error(`The payment method ${row.id} has no card`);
  }
  const { id, organizationId, livemode, createdAt } = row;
  const createdBy = { type: row.createdByType, id: row.createdById };
  return { id, organizationId, livemode, reference, brand, last4, expMonth, expYear, createdBy, createdAt };
}
