import { type components } from '../../api/generated/management';
import { every } from '../../browser/every';

export type WalletTransaction = components['schemas']['WalletTransaction'];
export type CreditGrant = components['schemas']['CreditGrant'];
export type Payment = components['schemas']['Payment'];
export type TransactionKind = WalletTransaction['kind'];

export const kinds = every<TransactionKind>()(
  'credit_grant',
  'top_up',
  'charge',
  'refund',
  'dispute',
  'fine_tuning',
  'fine_tuning_endpoint',
);

/** Whether the provider may still say that it was paid. */
export const isOpenPayment = ({ state }: Payment): boolean =>
  state === 'created' || state === 'pending' || state === 'failed';

/** A page of the payment provider, and the host that a link to it leads to. */
export interface Checkout {
  readonly url: string;
  readonly host: string;
}

/**
 * Where to pay, or to enter a card. Payments that move money are made over `https:` alone; in test mode the page may be one
 * of this installation. Null for what is neither.
 */
export function checkoutOf(url: string | null, livemode: boolean): Checkout | null {
  if (url === null || !URL.canParse(url)) return null;
  const { protocol, host, href } = new URL(url);
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && !livemode);
  return isAllowed ? { url: href, host } : null;
}
