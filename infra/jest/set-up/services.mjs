// Jest's global set-up of the specs that start built services: a current build, a migrated data folder to copy, a folder
// of the services that spec files share, curl, and real servers where each service is to be a process of its own.
import { compileCache } from '../../local/workspace.mjs';
import { provideCurl } from './curl.mjs';
import { migratedData } from './migrated-data.mjs';
import { startServersOfThisRun } from './servers-of-this-run.mjs';
import { sharedServices } from './shared-services.mjs';

export default async function setUp() {
  await provideCurl();
  // A service starts many times in a run, each time with the same code. The processes of the specs have no such cache: to
  // write it delays their end.
  process.env.SVC_TEST_COMPILE_CACHE ??= compileCache;
  process.env.SVC_TEST_MIGRATED_DATA ??= await migratedData();
  process.env.SVC_TEST_SHARED_SERVICES ??= sharedServices();
  if (process.env.SVC_E2E_COMPOSITION === 'separate') await startServersOfThisRun();
}
