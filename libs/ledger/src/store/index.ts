export { BudgetSpendStore } from './budgets/budget-spend-store';
export { type BudgetFilter, type BudgetRecord } from './budgets/budget-rows';
export { BudgetSpendingStore, type BudgetPeriod, type BudgetSpending } from './budgets/budget-spending';
export { BudgetStore } from './budgets/budget-store';
export { EndUserPeppers, endUserPepperContext } from './end-users/end-user-peppers';
export { IdempotencyStore, answerContext, type ClaimRequest } from './idempotency/idempotency-store';
export { ledgerRetention } from './ledger-retention';
export { OrganizationPriceStore } from './prices/organization-prices';
export { abandonedSettlement } from './recovery/abandoned-settlement';
export { DatabaseHeartbeat } from './recovery/database-heartbeat';
export { EdgeInstanceStore } from './recovery/edge-instance-store';
export {
  COUNTED_MAX,
  InstallationHealth,
  queueNames,
  type InstallationFigures,
} from './recovery/installation-health';
export { RequestRecordStore } from './recovery/request-record-store';
export { RequestHistory, requestRecords, type RequestFilter } from './requests/request-history';
export { RequestMonths } from './requests/request-months';
export { type RequestRecord } from './requests/request-record';
export { StandingHolds } from './standing-holds/standing-holds';
export { type CallExplanation } from './wallet/call-explanation';
export { type HeldEndUser, type HoldRequest } from './wallet/hold-request';
export { LedgerStore } from './wallet/ledger-store';
export { type FinalStatus, type Settlement } from './wallet/settlement';
export {
  WalletReading,
  ledgerTransfers,
  touchesWallet,
  walletBalance,
  walletTransactionKinds,
  type WalletBalance,
  type WalletTransaction,
} from './wallet/wallet-reading';
export { BALANCE_MAX, WalletStore, type CreditGrant } from './wallet/wallet-store';
