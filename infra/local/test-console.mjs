// `npm run test:console [-- paths, arguments for Jest]`: every state of every page of the console, at three widths and in both
// themes, and every page in a browser over the service. `npm test` looks at each page once, and walks through some of its
// stories.
import { consolePhases } from './console-phases.mjs';
import { specEnvironment } from './memory-folder.mjs';
import { runPhases, targets } from './phases.mjs';

await runPhases(
  { 'generated code': targets('generate'), ...consolePhases(process.argv.slice(2)) },
  { env: specEnvironment() },
);
