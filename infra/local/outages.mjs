// Specs of what becomes of calls while a server or a process is away. Each starts a whole installation, for minutes.
export const BESIDE_EACH_OTHER = [
  'distributed/process-faults',
  'distributed/server-faults',
  'faults/outages',
];
/** What it compares is how many calls are served before a fault and during it: another spec beside it would count. */
export const ALONE = ['faults/sessions'];
export const OUTAGES = [...BESIDE_EACH_OTHER, ...ALONE];
