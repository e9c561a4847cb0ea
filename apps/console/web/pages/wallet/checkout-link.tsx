import { type ReactElement } from 'react';
import { ExternalIcon } from '../../ui/icons/icons';
import { text } from './text';
import { checkoutOf, type Payment } from './wallet';
import styles from './wallet.module.css';

/** The link to the provider's page, with the host that it leads to; nothing while there is none. */
export function CheckoutLink({ payment }: { readonly payment: Payment }): ReactElement | null {
  const checkout = checkoutOf(payment.checkout_url, payment.livemode);
  if (checkout === null) return null;
  return (
    <a className={styles.checkout} href={checkout.url} target="_blank" rel="noopener noreferrer">
      {text.payments.pay(checkout.host)} <ExternalIcon />
    </a>
  );
}
