// What each pure step of a call allocates, as a line of JSON, in bytes: objects and strings, not what lies outside the heap.
// To be run with `nodeOptions`: without a compiler that leaves objects out, and with room for all of them before the first
// collection, it is the same in every run and on every machine.
import { pureSteps } from './pure-steps.mjs';

const CALLS = 500;

function allocatedBy(step) {
  for (let call = 0; call < CALLS; call++) step();
  const before = process.memoryUsage().heapUsed;
  for (let call = 0; call < CALLS; call++) step();
  return (process.memoryUsage().heapUsed - before) / CALLS;
}

const bytes = Object.entries(pureSteps).map(([name, step]) => [name, Math.round(allocatedBy(step))]);
process.stdout.write(`${JSON.stringify(Object.fromEntries(bytes))}\n`);
