import { defineEvent } from './define-event';
import {
  code,
  count,
  flag,
  idOf,
  name,
  nanosAmount,
  nanosSum,
  oneOf,
  orNull,
  timestamp,
} from './event-fields';

const budget = {
  budget_id: idOf('budget'),
  name: name('Research'),
  scope: oneOf('end_user', 'organization', 'project', 'api_key', 'member', 'model'),
  /** The id of whom it names, or `*` for an amount of each. */
  scope_id: name('*'),
  /** The project whose calls alone it counts. */
  project_id: orNull(idOf('project')),
  /** Of a budget of each: whose amount it is. */
  subject: orNull(name('eu_06dpm2q4x8k3c0v9r7t5w1hzny')),
  period: oneOf('month', 'day', 'week', 'quarter', 'session'),
  /** The UTC day (2026-11-20), the week (2026-W47), the month (2026-11), the quarter (2026-Q4) or the caller's session id. */
  period_key: name('2026-11'),
  /** The amount in force. */
  amount_nanos: nanosAmount(100_000_000_000),
  spent_nanos: nanosSum(82_500_000_000),
  warn_at_bps: count(8_000),
  action: oneOf('block', 'warn'),
};

const payment = { payment_id: idOf('payment'), amount_nanos: nanosAmount(50_000_000_000) };
const dataExport = { export_id: idOf('export'), kind: code('usage') };

/** Events of budgets, the wallet, payments, exports and unsettled requests. */
export const spendingEvents = {
  'budget.threshold_crossed': defineEvent(
    'spend reached the warn threshold of a budget: once a period',
    budget,
  ),
  'budget.exceeded': defineEvent(
    'spend reached the amount of a budget, or a blocking budget refused a call: once a period',
    budget,
  ),

  'wallet.credit_granted': defineEvent('credit was granted to the wallet', {
    credit_grant_id: idOf('creditGrant'),
    amount_nanos: nanosAmount(20_000_000_000),
    balance_nanos: nanosAmount(27_500_000_000),
  }),

  'payment.succeeded': defineEvent('a top-up was confirmed by the payment provider', {
    ...payment,
    credit_grant_id: idOf('creditGrant'),
    kind: oneOf('checkout', 'auto'),
    /** False: no money moved. */
    livemode: flag(true),
  }),
  'payment.failed': defineEvent('a top-up could not be collected', {
    /** Null where the monthly cap of automatic top-ups stopped a charge. */
    payment_id: orNull(payment.payment_id),
    amount_nanos: payment.amount_nanos,
    failure_code: code('card_declined'),
  }),

  'request.reconciliation_required': defineEvent(
    'the usage of a request could not be finalised and needs a review',
    {
      request_id: idOf('request'),
      model: name('acme/small'),
      provider: orNull(name('acme')),
      /**
       * In this order: the process died before settlement; the provider reported no usage; it reported more than its
       * output limit; the ledger refused the settlement.
       */
      reason: oneOf('worker_lost', 'usage_missing', 'hold_exceeded', 'settlement_refused'),
    },
  ),

  'export.completed': defineEvent('an export can be downloaded', {
    ...dataExport,
    row_count: count(1_204),
    expires_at: timestamp(),
    format: oneOf('csv', 'jsonl'),
    bytes: count(48_211),
  }),
  'export.failed': defineEvent('an export failed', { ...dataExport, failure_code: code('timed_out') }),
};
