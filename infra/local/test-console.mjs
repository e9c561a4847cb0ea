// `npm run test:console [-- arguments for Jest]`: every state of every page of the console, at both widths in both themes, and
// every page in a browser over the service. `npm test` looks at each page once, and walks through some of its stories.
import { specEnvironment } from './memory-folder.mjs';
import { runPhases, specs } from './phases.mjs';

const flags = ['--passWithNoTests', ...process.argv.slice(2)];
await runPhases(
  {
    'states of the pages': specs(
      { tiers: ['page', 'heavy'], flags, paths: ['apps/console/'] },
      { CONSOLE_LOOKS: 'all' },
    ),
    'pages over the service': specs({ tiers: ['page', 'heavy'], flags, paths: ['apps/e2e/src/console/'] }),
  },
  { env: specEnvironment() },
);
