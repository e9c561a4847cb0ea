import { z } from 'zod';
import { id, nanosAmount, pointInTime, timestamp } from '@svc/platform/api';

export const wallet = z
  .object({
    balance_nanos: nanosAmount().nonnegative(),
    held_nanos: nanosAmount().nonnegative().meta({
      description: 'The part of the balance that calls under way may still cost, in nano-dollars.',
      example: 2_000_000,
    }),
    available_nanos: nanosAmount().nonnegative().meta({
      description: 'What new calls can spend, in nano-dollars: the balance without what is held.',
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

export const walletTransaction = z
  .object({
    id: id('walletTransaction'),
    organization_id: id('organization'),
    kind: z.enum(['credit_grant', 'charge']),
    amount_nanos: nanosAmount().meta({
      description: 'Nano-dollars; negative where they left the wallet.',
      example: -123_456,
    }),
    request_id: id('request').nullable().meta({ description: 'The call that was charged.' }),
    credit_grant_id: id('creditGrant').nullable().meta({ example: null }),
    created_at: timestamp(),
  })
  .meta({ id: 'WalletTransaction' });

export const transactionFilters = {
  created_after: pointInTime().optional().meta({ description: 'What was booked then or later.' }),
  created_before: pointInTime().optional().meta({ description: 'What was booked earlier.' }),
};
