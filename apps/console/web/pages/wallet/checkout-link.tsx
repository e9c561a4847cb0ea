import { type ReactElement } from 'react';
import { ExternalIcon } from '../../ui/icons/later-icons';
import { text } from './text';
import { checkoutOf, type Checkout, type Payment } from './wallet';
import styles from './wallet.module.css';

/** The link to the page on which a payment is paid; nothing while there is none. */
export function CheckoutLink({ payment }: { readonly payment: Payment }): ReactElement | null {
  const checkout = checkoutOf(payment.checkout_url, payment.livemode);
  return checkout === null ? null : <ProviderLink to={checkout} words={text.payments.pay} />;
}

interface ProviderLinkProps {
  readonly to: Checkout;
  /** Names the host that the link leads to. */
  readonly words: (host: string) => string;
}

/** A link to a page of the payment provider, in a tab of its own. */
export const ProviderLink = ({ to, words }: ProviderLinkProps): ReactElement => (
  <a className={styles.checkout} href={to.url} target="_blank" rel="noopener noreferrer">
    {words(to.host)} <ExternalIcon />
  </a>
);
