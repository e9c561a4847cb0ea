// `npm test [-- arguments for Jest]`: types, lint, and every spec that takes no server beyond the embedded ones.
import { specEnvironment } from './memory-folder.mjs';
import { runPhases, specs, target } from './phases.mjs';

const flags = process.argv.slice(2);
await runPhases(
  {
    typecheck: target('typecheck'),
    lint: target('lint'),
    specs: specs({ tiers: ['pure', 'store', 'e2e', 'page'], flags }),
  },
  { env: specEnvironment() },
);
