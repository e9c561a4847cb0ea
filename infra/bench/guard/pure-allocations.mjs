import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { say } from '../../local/workspace.mjs';

const PROGRAM = fileURLToPath(new URL('allocations.mjs', import.meta.url));
const NODE_OPTIONS = ['--no-opt', '--no-maglev', '--min-semi-space-size=64', '--max-semi-space-size=64'];

/** Bytes per call: a quarter above the measurement after the last intended change of the step. */
const BYTES_MAX = {
  'parse the call': 5_400,
  'plan its route': 1_850,
  'price its hold': 880,
  'limit its output': 860,
  'write its body': 3_400,
  'read its answer': 4_900,
  'price its usage': 400,
  'write its answer': 5_100,
  'relay 50 chunks': 91_000,
};

/** @returns whether every pure step of a call keeps its bound. */
export function checkAllocations(node) {
  const allocated = JSON.parse(execFileSync(node, [...NODE_OPTIONS, PROGRAM], { encoding: 'utf8' }));
  const dearer = Object.entries(allocated).filter(([step, bytes]) => !(bytes <= BYTES_MAX[step]));
  for (const [step, bytes] of dearer) {
    say(`to ${step} allocates ${bytes} bytes, and may allocate ${BYTES_MAX[step]}`);
  }
  if (dearer.length === 0) {
    const total = Object.values(allocated).reduce((sum, bytes) => sum + bytes, 0);
    say(`the pure steps of a call allocate what they may: ${total} bytes in all`);
  }
  return dearer.length === 0;
}
