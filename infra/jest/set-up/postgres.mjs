// Jest's global set-up of the tiers that need PostgreSQL: one server with one migrated template for the whole run,
// whoever starts it, and curl.
import { provideCurl } from './curl.mjs';
import { templateName } from './migrated-data.mjs';
import { startPostgresOfThisRun } from './postgres-of-this-run.mjs';

export default async function setUp() {
  await provideCurl();
  process.env.SVC_TEST_DATABASE_TEMPLATE = templateName();
  process.env.SVC_TEST_DATABASE_URL ??= await startPostgresOfThisRun();
}
