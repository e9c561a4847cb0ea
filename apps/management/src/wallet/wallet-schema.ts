import { z } from 'zod';
import { anyOf, id, nanosAmount, pointInTime, presenter, timestamp } from '@svc/api';
import { transactionRow } from '@svc/exports';
import { nanosToJson } from '@svc/kernel';
import {
  walletTransactionKinds,
  type CreditGrant,
  type WalletBalance,
  type WalletTransaction,
} from '@svc/ledger/store';

export const wallet = z
  .object({
    balance_nanos: nanosAmount().nonnegative(),
    held_nanos: nanosAmount().nonnegative().meta({
      description: 'The part of the balance that is held for calls in flight, in nano-dollars.',
      example: 2_000_000,
    }),
    owed_nanos: nanosAmount().nonnegative().meta({
      description:
        'What refunds and disputes of payments still take from the balance, in nano-dollars. It is taken as money becomes available.',
      example: 0,
    }),
    available_nanos: nanosAmount().nonnegative().meta({
      description:
        'The balance that new calls can spend, in nano-dollars: without what is held, and what is owed.',
      example: 1_498_000_000,
    }),
  })
  .meta({ id: 'Wallet' });

export const creditGrant = z
  .object({
    id: id('creditGrant'),
    organization_id: id('organization'),
    amount_nanos: nanosAmount().positive(),
    reason: z.string().meta({ example: 'Welcome credit' }),
    created_at: timestamp(),
  })
  .meta({ id: 'CreditGrant' });

const transactionKind = z.enum(walletTransactionKinds).meta({ example: 'charge' });

export const walletTransaction = z
  .object({
    id: id('walletTransaction'),
    organization_id: id('organization'),
    kind: transactionKind,
    amount_nanos: nanosAmount().meta({
      description: 'Nano-dollars; negative where it left the wallet.',
      example: -123_456,
    }),
    balance_after_nanos: nanosAmount().nullable().meta({
      description:
        'The balance of the wallet once it was booked, in nano-dollars; null where more than 25,000 transactions are newer.',
      example: 1_500_000_000,
    }),
    request_id: id('request').nullable().meta({ description: 'The call that was charged.' }),
    credit_grant_id: id('creditGrant').nullable().meta({ example: null }),
    payment_id: id('payment').nullable().meta({
      description: 'The payment of a top-up, or what took it back.',
      example: null,
    }),
    fine_tuning_job_id: id('fineTuningJob').nullable().meta({
      description: 'The job whose training was charged.',
      example: null,
    }),
    fine_tuning_endpoint_id: id('fineTuningEndpoint').nullable().meta({
      description: 'The endpoint of which a slice of its time was charged.',
      example: null,
    }),
    created_at: timestamp(),
  })
  .meta({ id: 'WalletTransaction' });

export const transactionFilters = {
  kind: anyOf(transactionKind).optional().meta({
    description:
      'Some of credit_grant, charge, top_up, refund, dispute, fine_tuning, fine_tuning_endpoint, with commas between them.',
  }),
  created_after: pointInTime().optional().meta({ description: 'Transactions booked then or later.' }),
  created_before: pointInTime().optional().meta({ description: 'Transactions booked earlier.' }),
};

export const presentWallet = ({ balance, held, owed, available }: WalletBalance): z.input<typeof wallet> => ({
  balance_nanos: nanosToJson(balance),
  held_nanos: nanosToJson(held),
  owed_nanos: nanosToJson(owed),
  available_nanos: nanosToJson(available),
});

export const presentCreditGrant = presenter<typeof creditGrant, CreditGrant>(creditGrant, {
  amount_nanos: ({ amount }) => nanosToJson(amount),
});

export const presentWalletTransaction = (
  transaction: WalletTransaction,
): z.input<typeof walletTransaction> => ({
  ...transactionRow(transaction),
  balance_after_nanos: transaction.balanceAfter === null ? null : nanosToJson(transaction.balanceAfter),
  kind: transaction.kind,
});
