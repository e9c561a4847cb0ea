import { candidates } from '../world.mjs';

/** One way of a scenario to call a candidate; named after the candidate where it says nothing else. */
export const variant = (candidate, call, more = {}) => ({
  name: candidate,
  label: candidates[candidate].label,
  candidate,
  call,
  ...more,
});

/** The same call to every candidate there is. */
export const everyCandidate = (call, more = {}) =>
  Object.keys(candidates).map((candidate) => variant(candidate, call, more));

const SECONDS = 2;

/**
 * As much as goes, over 64 connections. The engine compiles what a call runs through over some 30,000 calls: it is a service
 * that has been up for a while that is measured.
 */
export const saturation = {
  load: { connections: 64, durationMs: SECONDS * 1000 },
  warmUp: { durationMs: 8000 },
};

/** Where the load sets the rate, these say nothing: an idle process pays for each time it is woken. */
export const hiddenAtFixedRate = [
  'callsPerSecond',
  'callsPerCoreSecond',
  'framesPerSecond',
  'busy',
  'cpuMicros',
  'frameMicros',
  'postgresqlMicros',
  'redisMicros',
];

/** The median of a row's ratio to the yardstick; NaN where there is none. */
export function ratio(rows, name, figure) {
  return rows.find((row) => row.name === name)?.ratios[figure]?.median ?? NaN;
}

export function figure(rows, name, of) {
  return rows.find((row) => row.name === name)?.figures[of]?.median ?? NaN;
}
