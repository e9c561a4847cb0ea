export { openTestDatabase, type TestDatabase } from './open-test-database';
