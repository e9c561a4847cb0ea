export { emptyTestDatabase } from './empty-test-database';
export { heartbeatWas } from './heartbeat';
export { openTestDatabase, type TestDatabase } from './open-test-database';
export { startSilentProxy, type SilentProxy } from './silent-proxy';
