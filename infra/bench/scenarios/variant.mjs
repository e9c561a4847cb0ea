import { candidates } from '../world.mjs';

/** One way of a scenario to call a candidate; by default it has the name of the candidate. */
export const variant = (candidate, call, more = {}) => ({
  name: candidate,
  label: candidates[candidate].label,
  candidate,
  call,
  ...more,
});

/** The same call to every candidate whose program this machine has. */
export const everyCandidate = (call, more = {}) =>
  Object.values(candidates)
    .filter(({ isThere = () => true }) => isThere())
    .map(({ name }) => variant(name, call, more));

const SECONDS = 2;

/**
 * Full load over 64 connections. The engine compiles the code of a call during some 30,000 calls; they are a warm-up, so that
 * a long-running service is measured.
 */
export const saturation = {
  load: { connections: 64, durationMs: SECONDS * 1000 },
  warmUp: { durationMs: 8000 },
};

/** What a fixed rate decides. The calls a second are shown: a candidate that does not keep up has fewer. */
export const hiddenAtFixedRate = ['callsPerCoreSecond', 'framesPerSecond', 'busy'];

/** The median of a row's ratio to the baseline; NaN without one. */
export function ratio(rows, name, figure) {
  return rows.find((row) => row.name === name)?.ratios[figure]?.median ?? NaN;
}

export function figure(rows, name, of) {
  return rows.find((row) => row.name === name)?.figures[of]?.median ?? NaN;
}
