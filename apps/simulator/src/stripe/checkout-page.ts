import { type Session } from './stripe-objects';

const dollars = (cents: number): string => (cents / 100).toFixed(2);

/** Where the payer decides. Nothing on it comes from outside but the amount. */
export function checkoutPage(session: Session): string {
  const { status, amount_total, payment_intent } = session;
  const isDeclined = payment_intent.last_payment_error !== null;
  const body =
    status === 'open'
      ? `${isDeclined ? '<p role="alert">The card was declined. You can try again.</p>' : ''}
    <form method="post">
      <button name="action" value="pay">Pay</button>
      <button name="action" value="decline">Decline</button>
      <button name="action" value="later">Pay later</button>
    </form>`
      : `<p role="status">This checkout is ${status === 'complete' ? 'paid' : 'no longer open'}.</p>`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Test mode: no money moves</title>
    <style>body { font: 1.1rem system-ui; max-width: 30rem; margin: 3rem auto; padding: 0 1rem } button { font: inherit; padding: .5rem 1rem }</style>
  </head>
  <body>
    <h1>Test mode: no money moves</h1>
    <p>Top-up of <strong>$${dollars(amount_total)}</strong></p>
    ${body}
  </body>
</html>
`;
}
