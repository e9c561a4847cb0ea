// Specs of what becomes of calls while a server or a process is away. Each starts a whole installation, for minutes.
export const BESIDE_EACH_OTHER = [
  'distributed/process-faults',
  'distributed/server-faults',
  'faults/outages',
];
/**
 * The first compares how many calls are served before a fault and during it: another spec beside it would count. The others send
 * 10,000 calls and more, as many at once as the machine can.
 */
export const ALONE = [
  'faults/sessions',
  'distributed/levels-at-scale',
  'affinity/affinity-at-scale',
  'distributed/own-accounts',
];
export const OUTAGES = [...BESIDE_EACH_OTHER, ...ALONE];
