import { type MasterKey } from '@svc/runtime';
import { type Database, type DatabaseOptions, openDatabase } from '../database/database';
import { requireMasterKey } from '../sealing/require-master-key';
import { type StartServer, whenDatabaseAnswers } from './when-database-answers';

type ServiceDatabaseOptions = DatabaseOptions & StartServer & { readonly masterKey: MasterKey };

/**
 * Opens the database of a starting service, once it answers and the master key is the one that its secrets are sealed
 * with.
 * @throws Error in one line that names SVC_DATABASE_URL or SVC_MASTER_KEY.
 */
export async function openServiceDatabase(options: ServiceDatabaseOptions): Promise<Database> {
  const database = openDatabase(options);
  try {
    await whenDatabaseAnswers(options, async () => {
      // From here on one connection of each kind is open, so that the rest of the start waits for none.
      await database.pool.query('SELECT');
      await requireMasterKey(database, options.masterKey);
    });
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
