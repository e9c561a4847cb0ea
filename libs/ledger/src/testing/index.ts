export { LedgerWorld, holdOf, settlementOf } from './ledger-world';
