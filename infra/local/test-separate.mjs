// `npm run test:separate [-- arguments for Nx]`: runs the end-to-end specs of the one process over separate services.
import { runPhasesOverServers } from './server-phases.mjs';

await runPhasesOverServers({ 'separate services': ['run', 'e2e:test-separate'] });
