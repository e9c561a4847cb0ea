export { BudgetSpendStore } from './budgets/budget-spend-store';
export { type Change } from './changes/change';
export { ChangeFeed, type ChangeFeedOptions } from './changes/change-feed';
export {
  credentialContext,
  ProviderCredentialStore,
  type ProviderCredentialRecord,
} from './credentials/provider-credential-store';
export { openDatabase, type Database, type DatabaseOptions } from './database/database';
export { UnitOfWork, type Transaction } from './database/unit-of-work';
export { type ClaimRequest, IdempotencyStore, type StoredClaim } from './idempotency/idempotency-store';
export { type HoldRequest } from './ledger/hold-request';
export { LedgerStore } from './ledger/ledger-store';
export { type FinalStatus, type Settlement } from './ledger/settlement';
export { WalletStore, type CreditGrant } from './ledger/wallet-store';
export { migrate } from './migrations/migrate';
export { ApiKeyStore, type ApiKeyRecord } from './organizations/api-key-store';
export { bootstrap, type BootstrapInput, type BootstrapResult } from './organizations/bootstrap';
export { ProjectStore, type ProjectRecord } from './organizations/project-store';
export { Outbox } from './outbox/outbox';
export { OutboxStore, type OutboxRecord } from './outbox/outbox-store';
export { PolicyStore, type PolicyVersionRecord } from './policy/policy-store';
export { EdgeInstanceStore } from './recovery/edge-instance-store';
export { RequestRecordStore, type AbandonedCall } from './recovery/request-record-store';
