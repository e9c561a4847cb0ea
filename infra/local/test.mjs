// `npm test [-- arguments for Jest]`: types, lint, and every spec that takes no server beyond the embedded ones. The specs
// over services run apart from the others, so that their services and browsers end before those begin. Types and lint
// take what processor they leave, while they wait.
import { specEnvironment } from './memory-folder.mjs';
import { beside, runPhases, specs, targets } from './phases.mjs';

const flags = ['--passWithNoTests', ...process.argv.slice(2)];
await runPhases(
  {
    'generated code': targets('generate'),
    'types and lint': beside(targets('typecheck', 'lint')),
    'specs over services': specs({ tiers: ['e2e', 'page'], flags }),
    'specs of parts': specs({ tiers: ['store', 'pure'], flags }),
  },
  { env: specEnvironment() },
);
