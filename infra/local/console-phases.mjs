import { specs } from './phases.mjs';

const STATES = 'apps/console/';
const SERVICE = 'apps/e2e/src/console/';

/**
 * The phases of `npm run test:console`.
 * @param args paths of specs of the console, for those alone, and arguments for Jest.
 */
export function consolePhases(args) {
  const isPath = (arg) => arg.startsWith(STATES) || arg.startsWith(SERVICE);
  const paths = args.some(isPath) ? args.filter(isPath) : [STATES, SERVICE];
  const flags = ['--passWithNoTests', ...args.filter((arg) => !isPath(arg))];
  const phase = (folder, env) => {
    const below = paths.filter((path) => path.startsWith(folder));
    return below.length > 0 && specs({ tiers: ['page', 'heavy'], flags, paths: below }, env);
  };
  const phases = {
    'states of the pages': phase(STATES, { CONSOLE_LOOKS: 'all' }),
    'pages over the service': phase(SERVICE),
  };
  return Object.fromEntries(Object.entries(phases).filter(([, one]) => one));
}
