// `npm run test:heavy [-- arguments for Jest]`: the specs that take minutes each (`*.heavy.spec.ts`), one after another: some
// of them measure. The pages of the console are left to `npm run test:console`, the clients to `npm run test:clients`, made-up
// calls to `npm run test:fuzz`.
import { specEnvironment } from './memory-folder.mjs';
import { runPhases, specs } from './phases.mjs';

const ELSEWHERE = ['apps/console/', 'apps/e2e/src/console/', 'sdk-matrix', 'coding-agents', 'fuzzed-routes'];

const flags = ['--runInBand', ...process.argv.slice(2), '--testPathIgnorePatterns', ...ELSEWHERE];
await runPhases({ 'heavy specs': specs({ tiers: ['heavy'], flags }) }, { env: specEnvironment() });
