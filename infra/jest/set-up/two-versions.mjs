// Jest's global set-up of the upgrade tier: that of the fault tier, and a build of the version before.
import { buildVersionBefore } from '../../local/version-before.mjs';
import servers from './servers.mjs';

export default async function setUp() {
  process.env.SVC_TEST_VERSION_BEFORE ??= await buildVersionBefore();
  await servers();
}
