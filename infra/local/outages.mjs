// Specs of what becomes of calls while a server or a process is away. Each starts a whole installation, for minutes.
export const BESIDE_EACH_OTHER = [
  'distributed/process-faults',
  'distributed/server-faults',
  'faults/outages',
];
/**
 * The first compares how many calls are served before a fault and during it: another spec beside it would count. The others send
 * thousands of calls, as many at once as the machine can, or are about seconds.
 */
export const ALONE = [
  'faults/sessions',
  'distributed/levels-at-scale',
  'affinity/affinity-at-scale',
  'distributed/own-accounts',
  'credential-pools/pools-at-scale',
  'credential-pools/refused-account',
  'policies/rollouts-at-scale',
];
export const OUTAGES = [...BESIDE_EACH_OTHER, ...ALONE];
