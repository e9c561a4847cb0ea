// Prints the heap bytes that each pure step of a call allocates, as a line of JSON. Memory outside the heap does not count.
// Run it with `nodeOptions`: without an optimising compiler, and with a heap that needs no collection, the result is the same
// in every run and on every machine.
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
