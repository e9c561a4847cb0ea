import { formatCount } from '../../format/numbers';
import { type Payment, type TransactionKind } from './wallet';

export const kindWords: Readonly<Record<TransactionKind, string>> = {
  credit_grant: 'Credit granted',
  top_up: 'Top-up',
  charge: 'Charge',
  refund: 'Refund',
  dispute: 'Dispute',
  fine_tuning: 'Fine-tuning',
  fine_tuning_endpoint: 'Fine-tuning endpoint',
};

/** Docs: docs/reference/payments.md#states. */
export const stateWords: Readonly<Record<Payment['state'], string>> = {
  created: 'Being prepared',
  pending: 'Pending',
  failed: 'Declined',
  expired: 'Expired',
  cancelled: 'Cancelled',
  review: 'In review',
  dismissed: 'Dismissed',
  succeeded: 'Succeeded',
  partially_refunded: 'Refunded in part',
  refunded: 'Refunded',
  disputed: 'Disputed',
};

const PENDING = 'Pending until the payment provider confirms.';

/** What the state means for the payer. */
export const stateNotes: Readonly<Partial<Record<Payment['state'], string>>> = {
  created: 'The payment provider is being asked for its page.',
  pending: PENDING,
  failed: 'The card was declined. It can still be paid with another.',
  review: 'Something else was paid than was asked for. The operator decides.',
};

export const text = {
  title: 'Wallet',
  purpose: 'What is left, where it came from and where it went.',
  addCredit: 'Add credit',
  figures: {
    title: 'Balance',
    balance: 'Balance',
    held: 'Held by calls under way',
    owed: 'Owed for refunds and disputes',
    available: 'Available',
    lasts: 'Lasts',
    daysLeft: (days: bigint): string =>
      days === 0n ? 'Less than a day' : `${formatCount(days)} ${days === 1n ? 'day' : 'days'}`,
    pace: 'At the pace of the last 7 days (UTC).',
    noPace: 'Nothing was spent in 7 days.',
    empty: 'The wallet is empty: calls are refused with 402 insufficient_funds.',
  },
  tabs: {
    label: 'What the wallet shows',
    transactions: 'Transactions',
    payments: 'Payments',
    grants: 'Credit grants',
    'auto-top-up': 'Automatic top-up',
  },
  transactions: {
    caption: 'Transactions',
    what: 'transactions',
    emptyTitle: 'No transactions yet',
    empty: 'Credit that comes in and calls that are charged are listed here.',
    nothingYet: 'None in what was searched so far.',
    searchedTo: 'earlier transactions',
    at: 'Time',
    kind: 'Kind',
    amount: 'Amount',
    after: 'Balance after',
    afterHint: 'The balance once it was booked. It is told for the newest 25,000 transactions.',
    source: 'For',
    id: 'Transaction',
    notTold: 'Not told',
    grant: 'Grant',
    payment: 'Payment',
  },
  filters: { kind: 'Kind', after: 'From', before: 'Before' },
  anyKind: 'Any kind',
  payments: {
    caption: 'Payments',
    emptyTitle: 'No payments yet',
    empty: 'A payment adds credit once the payment provider confirms it.',
    at: 'Begun',
    amount: 'Amount',
    state: 'State',
    receipt: 'Receipt',
    actions: 'Actions',
    id: 'Payment',
    testMode: 'Test mode',
    testNote: 'Test mode: no money moves.',
    auto: 'Automatic',
    pay: (host: string): string => `Pay at ${host}`,
    cancel: 'Cancel payment',
    refunded: 'refunded',
    openReceipt: (number: string): string => `Receipt ${number}`,
    noReceipt: 'Once it has succeeded',
    noAction: 'None',
  },
  cancel: {
    title: 'Cancel this payment?',
    effect: 'It can then no longer be paid. It counts as cancelled once the payment provider confirms it.',
    action: 'Cancel payment',
    done: 'The payment is cancelled.',
    asked: 'The payment provider was asked to cancel it.',
  },
  grants: {
    caption: 'Credit grants',
    emptyTitle: 'No credit grants yet',
    empty: 'Credit of the operator and credit that was paid for are listed here.',
    at: 'Time',
    amount: 'Amount',
    reason: 'Reason',
    id: 'Grant',
  },
  add: {
    title: 'Add credit',
    amount: 'Amount in dollars',
    amountHint: 'From $5 to $25,000, in whole cents.',
    keep: 'Save the card',
    keepHint: 'The payment provider keeps it, for automatic top-up.',
    notCents: 'Write an amount of whole cents, from $5 to $25,000.',
    presets: 'Usual amounts',
    note: 'You pay on the page of the payment provider. No card is ever typed here.',
    submit: 'Go on to pay',
    off: 'This installation takes no payments. Ask the operator of this installation for credit.',
    readyTitle: 'Pay on the provider’s page',
    pending: PENDING,
    later:
      'The wallet is credited then, and not before. The payment is in the list, with the link to pay it.',
    noLink: 'The payment has no page to pay at yet. It appears in the list of payments.',
    close: 'Close',
  },
  returned: {
    done: 'You are back from the payment provider. The payment is pending until the payment provider confirms.',
    left: 'You left the page of the payment provider. A payment that is still open can be paid from the list.',
  },
} as const;
