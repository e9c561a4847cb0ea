// `npm test [-- arguments for Jest]`: types, and every spec that takes no server beyond the embedded ones and starts no
// service of its own. The specs over services run apart from the others, so that their services and browsers end before
// those begin. The types take what processor they leave, while they wait.
import { specEnvironment } from './memory-folder.mjs';
import { beside, runPhases, specs, targets } from './phases.mjs';

const flags = ['--passWithNoTests', ...process.argv.slice(2)];
/** What the types depend on is there, and Nx would build it again, into the folder that services run from meanwhile. */
const ALONE = '--exclude-task-dependencies';
await runPhases(
  {
    'generated code': targets('generate'),
    types: beside(targets('typecheck', ALONE)),
    'specs over services': specs({ tiers: ['e2e', 'page'], flags }),
    'specs of parts': specs({ tiers: ['store', 'pure'], flags }),
  },
  { env: specEnvironment() },
);
