export {
  AuditLog,
  PLATFORM_LOG,
  auditEntries,
  auditInsert,
  type AuditEntry,
  type AuditRecord,
  type Changes,
  isAnyAction,
} from './audit/audit-log';
export { changedFields, initialFields } from './audit/changed-fields';
export { type Change, type CredentialHealthChange } from './changes/change';
export { ChangeFeed } from './changes/change-feed';
export { backoffMs } from './database/backoff';
export { openDatabase, type Database } from './database/database';
export { DUE_NOW, IS_DUE } from './database/due-now';
export { explainFailure, failureKind, refusalFor, type FailureKind, isLockTimeout } from './database/failure';
export { LeaseLostError } from './database/lease-lost-error';
export { LeasedWork, type Claim } from './database/leased-work';
export { lockOrganization } from './database/lock-organization';
export { among, olderThan, pageArguments, seenBy, sliceOf } from './database/page';
export { inPoolTransaction, type PoolConnection } from './database/pool-transaction';
export { UnitOfWork, prismaOf, type Transaction } from './database/unit-of-work';
export {
  SCAN_MAX,
  historyPage,
  idRange,
  isAnyOf,
  readHistory,
  readUnsorted,
  sliceOfScan,
  type CreatedWithin,
  type HistoryQuery,
  type HistoryTable,
  type ScannedRow,
} from './history/history-page';
export { MailQueue, type ClaimedMail, type EndedTry } from './mails/mail-queue';
export { migrate } from './migrations/migrate';
export { Outbox, outboxInsert } from './outbox/outbox';
export { OutboxStore } from './outbox/outbox-store';
export { ParkedMessageStore } from './outbox/parked-message-store';
export { ParkedMessages, type ParkedMessage, type ParkedMessageFilter } from './outbox/parked-messages';
export { databaseRetention } from './retention/database-retention';
export { Retention } from './retention/retention';
export { type RetentionRule } from './retention/retention-rule';
export { requireMasterKey } from './sealing/require-master-key';
export { type SealedColumn } from './sealing/sealed-column';
export { SealedValues } from './sealing/sealed-values';
export { signingKeyContext } from './sealing/signing-key-context';
export { integrationTables, webhookTables, type DeliveryTables } from './sql-home/delivery-tables';
export { openServiceDatabase } from './start/open-service-database';
export { whenDatabaseAnswers } from './start/when-database-answers';
