// `npm run test:console [-- arguments for Nx]`: every state of every page of the console, at both widths in both themes, and every page in a
// browser over the service. `npm test` looks at each page once, and walks through two of its stories.
import { install } from './installation.mjs';
import { specEnvironment } from './memory-folder.mjs';
import { runPhases } from './phases.mjs';
import { serviceNode } from './workspace.mjs';

await install();
serviceNode();
await runPhases(
  {
    'states of the pages': ['run', 'console:test', '--skip-nx-cache'],
    'pages over the service': ['run', 'e2e:test-console'],
  },
  { env: { ...specEnvironment(), CONSOLE_LOOKS: 'all' } },
);
