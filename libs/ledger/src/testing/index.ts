export { LedgerWorld, holdOf, settlementOf, UNOBSERVED } from './ledger-world';
