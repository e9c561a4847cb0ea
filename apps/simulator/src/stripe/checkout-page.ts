import { type Session, type SetupSession } from './stripe-objects';

const dollars = (cents: number): string => (cents / 100).toFixed(2);

/** Where the payer decides. Nothing on it comes from outside but the amount. */
export function checkoutPage({ status, amount_total, payment_intent }: Session): string {
  const isDeclined = payment_intent.last_payment_error !== null;
  return page({
    what: `Top-up of <strong>$${dollars(amount_total)}</strong>`,
    alert: isDeclined ? 'The card was declined. You can try again.' : null,
    buttons: status === 'open' ? { pay: 'Pay', decline: 'Decline', later: 'Pay later' } : null,
    end: `This checkout is ${status === 'complete' ? 'paid' : 'no longer open'}.`,
  });
}

/** Where a card would be entered: here there is nothing to enter. */
export function setupPage({ status }: SetupSession, alert: string | null = null): string {
  return page({
    what: 'Save a card for automatic top-ups',
    alert,
    buttons: status === 'open' ? { pay: 'Save card', decline: 'Decline', later: 'Not now' } : null,
    end: `The card is ${status === 'complete' ? 'saved' : 'not saved'}.`,
  });
}

interface PageParts {
  readonly what: string;
  readonly alert: string | null;
  /** By the actions that they send; null once there is nothing to decide. */
  readonly buttons: Readonly<Record<string, string>> | null;
  readonly end: string;
}

function page({ what, alert, buttons, end }: PageParts): string {
  const choices = Object.entries(buttons ?? {})
    .map(([action, label]) => `      <button name="action" value="${action}">${label}</button>`)
    .join('\n');
  const body =
    buttons === null
      ? `<p role="status">${end}</p>`
      : `${alert === null ? '' : `<p role="alert">${alert}</p>`}
    <form method="post">
${choices}
    </form>`;
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
    <p>${what}</p>
    ${body}
  </body>
</html>
`;
}
