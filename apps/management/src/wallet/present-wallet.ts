import { type z } from 'zod';
import { nanosToJson } from '@svc/kernel';
import { type CreditGrant, type WalletBalance, type WalletTransaction } from '@svc/persistence';
import { presentTime } from '@svc/platform/api';
import { type creditGrant, type wallet, type walletTransaction } from './wallet-schema';

export const presentWallet = ({ balance, held, available }: WalletBalance): z.input<typeof wallet> => ({
  balance_nanos: nanosToJson(balance),
  held_nanos: nanosToJson(held),
  available_nanos: nanosToJson(available),
});

export const presentCreditGrant = (grant: CreditGrant): z.input<typeof creditGrant> => ({
  id: grant.id,
  organization_id: grant.organizationId,
  amount_nanos: nanosToJson(grant.amount),
  reason: grant.reason,
  created_at: presentTime(grant.createdAt),
});

export const presentWalletTransaction = (
  transaction: WalletTransaction,
): z.input<typeof walletTransaction> => ({
  id: transaction.id,
  organization_id: transaction.organizationId,
  kind: transaction.kind,
  amount_nanos: nanosToJson(transaction.amount),
  request_id: transaction.requestId,
  credit_grant_id: transaction.creditGrantId,
  created_at: presentTime(transaction.createdAt),
});
