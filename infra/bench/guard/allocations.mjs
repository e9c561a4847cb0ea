// Prints the heap bytes that each pure step of a call allocates, as a line of JSON. Memory outside the heap does not count.
// Run it with `NODE_OPTIONS` of pure-allocations.mjs: without an optimising compiler, and with a heap that needs no collection, the result is the same
// in every run and on every machine. What the engine allocates for itself once, at any time, falls into one window of several.
import { pureSteps } from './pure-steps.mjs';

const WARM_UP_CALLS = 500;
const WINDOWS = 5;
const WINDOW_CALLS = 100;

/** The median window, by call. */
function allocatedBy(step) {
  for (let call = 0; call < WARM_UP_CALLS; call++) step();
  const windows = Array.from({ length: WINDOWS }, () => {
    const before = process.memoryUsage().heapUsed;
    for (let call = 0; call < WINDOW_CALLS; call++) step();
    return (process.memoryUsage().heapUsed - before) / WINDOW_CALLS;
  });
  return windows.sort((a, b) => a - b)[(WINDOWS - 1) / 2];
}

const bytes = Object.entries(pureSteps).map(([name, step]) => [name, Math.round(allocatedBy(step))]);
process.stdout.write(`${JSON.stringify(Object.fromEntries(bytes))}\n`);
