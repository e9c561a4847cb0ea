// Jest's global set-up of the fault tier: built services, the console's among them, and real servers.
import { build } from '../../local/build.mjs';
import { startServersOfThisRun } from './servers-of-this-run.mjs';
import services from './services.mjs';

export default async function setUp() {
  await build();
  await services();
  await startServersOfThisRun();
}
