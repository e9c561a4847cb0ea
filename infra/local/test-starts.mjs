// `npm run test:starts [-- arguments for Jest]`: the specs that start a service of their own, because they are about its start, its
// end or its settings.
import { specEnvironment } from './memory-folder.mjs';
import { runPhases, specs } from './phases.mjs';

const flags = ['--passWithNoTests', ...process.argv.slice(2)];
await runPhases({ 'starts of services': specs({ tiers: ['start'], flags }) }, { env: specEnvironment() });
