import { randomInt } from 'node:crypto';
import { seedAsked } from './config';

const FIXED = 20_260_101;
const SEEDS = 2 ** 31 - 1;

let seed: number | null = null;

/**
 * The seed of what is random in this spec file: fixed, so that a run is like the one before. SVC_TEST_SEED names another
 * one, and with `random` it is drawn and printed. The printed number as SVC_TEST_SEED repeats the run.
 * @throws Error for a SVC_TEST_SEED that is neither a number nor `random`.
 */
export function seedOfThisRun(): number {
  return (seed ??= chosen());
}

function chosen(): number {
  if (seedAsked === null || seedAsked === '') return FIXED;
  if (seedAsked === 'random') {
    const drawn = randomInt(SEEDS);
    process.stderr.write(`SVC_TEST_SEED=${String(drawn)} repeats what is random in this spec file.\n`);
    return drawn;
  }
  const given = Number(seedAsked);
  if (!Number.isSafeInteger(given))
    throw new Error(`SVC_TEST_SEED: ${seedAsked} is no number and not random`);
  return given;
}
