export { heartbeatWas } from './heartbeat';
export { LedgerWorld, holdOf } from './ledger-world';
export { openTestDatabase, type TestDatabase } from './open-test-database';
export { startSilentProxy, type SilentProxy } from './silent-proxy';
