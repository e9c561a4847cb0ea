// `npm test [-- arguments for Nx]`: everything that can be checked without a server beyond the embedded ones.
import { runPhases } from './phases.mjs';
import { install } from './installation.mjs';
import { specEnvironment } from './memory-folder.mjs';
import { serviceNode } from './workspace.mjs';

await install();
serviceNode();
await runPhases(
  {
    typecheck: ['run-many', '-t', 'typecheck'],
    lint: ['run-many', '-t', 'lint'],
    'unit and integration tests': ['run-many', '-t', 'test', '--exclude=e2e'],
    'end-to-end tests': ['run', 'e2e:test'],
  },
  { env: specEnvironment() },
);
