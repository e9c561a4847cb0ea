/** A card that the provider keeps. This is all that is known of it here (docs/reference/payments.md#payment-methods). */
export interface SavedCard {
  /** The provider's id. */
  readonly reference: string;
  /** As the provider names it: `visa`. */
  readonly brand: string;
  /** The last four digits. */
  readonly last4: string;
  /** 1 to 12. */
  readonly expMonth: number;
  readonly expYear: number;
}

export interface NewSetup {
  readonly paymentMethodId: string;
  /** The provider's id of the organization. */
  readonly customerReference: string;
  readonly successUrl: string;
  readonly cancelUrl: string | null;
}

/** The setup of a card as it is at the provider now. */
export interface ProviderSetup {
  /** The provider's id of the setup. */
  readonly reference: string;
  /** The id of ours that it carries. */
  readonly paymentMethodId: string | null;
  readonly standing: 'open' | 'done' | 'ended';
  readonly livemode: boolean;
  /** Where a person enters the card; null once that is over. */
  readonly url: string | null;
  /** Once it is done. */
  readonly card: SavedCard | null;
}
