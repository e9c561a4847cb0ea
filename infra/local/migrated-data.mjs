// `node infra/local/migrated-data.mjs <folder>`: makes a data folder of the service with a migrated, empty database, for
// specs to copy. It takes a current build.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { startEmbeddedPostgres } = require('../../dist/libs/database/src/embedded/index.js');
const { migrate } = require('../../dist/libs/database/src/migrations/migrate.js');

const database = await startEmbeddedPostgres({ dataDir: process.argv[2] });
try {
  await migrate(database.url);
} finally {
  await database.stop();
}
