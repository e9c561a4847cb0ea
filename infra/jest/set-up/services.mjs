// Jest's global set-up of the specs that start built services: a current build, a migrated data folder to copy, and real
// servers where each service is to be a process of its own.
import { migratedData } from './migrated-data.mjs';
import { startServersOfThisRun } from './servers-of-this-run.mjs';

export default async function setUp() {
  process.env.SVC_TEST_MIGRATED_DATA ??= await migratedData();
  if (process.env.SVC_E2E_COMPOSITION === 'separate') await startServersOfThisRun();
}
