// Jest's global set-up of the fault tier: built services, and real servers.
import { startServersOfThisRun } from './servers-of-this-run.mjs';
import services from './services.mjs';

export default async function setUp() {
  await services();
  await startServersOfThisRun();
}
