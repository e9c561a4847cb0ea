// `npm run test:timing [-- arguments for Jest]`: what is promised about time. One file after another: what is compared in time
// shares no processor.
import { specEnvironment } from './memory-folder.mjs';
import { runPhases, specs } from './phases.mjs';

const flags = ['--runInBand', '--passWithNoTests', ...process.argv.slice(2)];
await runPhases({ 'timing specs': specs({ tiers: ['timing'], flags }) }, { env: specEnvironment() });
