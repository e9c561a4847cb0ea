import { visibleText } from '../../format/visible-text';
import { type DraftProblem, type Standing } from './auto-top-up';
import { type Card } from './card';

export const standingWords: Readonly<Record<Standing, string>> = {
  never: 'Not set up',
  on: 'On',
  off: 'Off',
  ended: 'Turned off automatically',
};

/** Why the service has switched it off (docs/reference/payments.md#automatic-top-ups). */
const reasonWords: Readonly<Record<string, string>> = {
  dispute: 'A payment was disputed.',
  payment_failed: 'Three charges in a row failed.',
  authentication_required:
    'The bank wants the cardholder to confirm each charge, so the card cannot be charged without them.',
  payment_method_deleted: 'The card that it charged was removed.',
};

/** As the payment provider names them. */
const brandWords: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/** `Visa ending in 4242`. */
export const cardWords = ({ brand, last4 }: Pick<Card, 'brand' | 'last4'>): string =>
  `${brandWords[brand] ?? visibleText(brand)} ending in ${visibleText(last4)}`;

export const problemWords: Readonly<Record<DraftProblem, string>> = {
  noThreshold: 'Enter an amount in dollars, for example 20.',
  noAmount: 'Enter an amount from $5 to $25,000, in whole cents.',
  noCap: 'Enter an amount in whole cents.',
  capBelowAmount: 'The monthly limit must be at least the amount of one charge.',
  noCard: 'Choose a card.',
};

export const autoTopUpText = {
  title: 'Automatic top-up',
  never:
    'Not set up. When it is on, a saved card is charged whenever less is available than an amount that you choose.',
  reason: (code: string): string => reasonWords[code] ?? visibleText(code),
  retry: 'The last charge failed. No other is made before {time}.',
  capReached:
    'The monthly limit leaves too little for another charge. Raise it, or wait for the next month (UTC).',
  facts: {
    state: 'State',
    threshold: 'Charges when',
    below: 'less than {threshold} is available',
    amount: 'Amount of a charge',
    charged: 'Charged this month (UTC)',
    chargedOf: '{charged} of at most {cap}',
    card: 'Card',
    noCard: 'None',
    goneCard: 'A card that was removed',
  },
  setUp: 'Set up',
  switchOn: 'Switch on',
  change: 'Change',
  noCards: 'Save a card first.',
  form: {
    onTitle: 'Switch on automatic top-up',
    changeTitle: 'Change automatic top-up',
    threshold: 'Charge when less than this is available, in dollars',
    amount: 'Amount of a charge, in dollars',
    amountHint:
      'From $5 to $25,000, in whole cents. Where it is too little, a multiple of it is charged at once.',
    cap: 'Monthly limit, in dollars',
    capHint: 'Automatic charges of a calendar month (UTC) never exceed it.',
    card: 'Card',
    note: 'The card is charged without asking again, until automatic top-up is switched off.',
    soon: 'Less is available now, so the first charge is made within seconds.',
    switchOn: 'Switch on',
    save: 'Save',
    switchedOn: 'Automatic top-up is on.',
    saved: 'Automatic top-up was changed.',
  },
  off: {
    open: 'Switch off',
    title: 'Switch automatic top-up off?',
    effect: 'No new charge is made. One that the payment provider is processing may still succeed.',
    action: 'Switch off',
    done: 'Automatic top-up is off.',
  },
  cards: {
    title: 'Saved cards',
    caption: 'Saved cards',
    empty: 'No card is saved. Automatic top-up needs one.',
    note: 'The payment provider keeps the cards. Their numbers are never typed or stored here.',
    card: 'Card',
    expires: 'Expires',
    expiry: (month: number, year: number): string => `${String(month).padStart(2, '0')}/${String(year)}`,
    expired: 'Expired',
    auto: 'Automatic top-up',
    saved: 'Saved',
    testMode: 'Test mode',
    actions: 'Actions',
    remove: 'Remove',
    removeCard: (card: string): string => `Remove ${card}`,
  },
  add: {
    open: 'Save a card',
    title: 'Enter the card on the provider’s page',
    note: 'No card is ever typed here. The card is listed once the payment provider confirms it.',
    go: (host: string): string => `Enter the card at ${host}`,
    noLink: 'The payment provider gave no address that can be opened. Try again.',
    close: 'Close',
  },
  remove: {
    title: 'Remove this card?',
    effect: 'No new charge is made to it, and the payment provider deletes it.',
    endsAuto: 'Automatic top-up charges this card, and is switched off with it.',
    action: 'Remove card',
    done: 'The card was removed.',
  },
  returned: {
    done: 'You are back from the payment provider. The card is listed once the payment provider confirms it.',
    left: 'You left the page of the payment provider. No card was saved.',
  },
} as const;
