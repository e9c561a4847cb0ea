export { heartbeatWas } from './heartbeat';
export { ScriptedProvider } from '../payments/testing/scripted-provider';
export { openTestDatabase, type TestDatabase } from './open-test-database';
export { startSilentProxy, type SilentProxy } from './silent-proxy';
