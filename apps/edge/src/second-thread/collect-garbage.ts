import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collect: (() => void) | undefined;

/**
 * Frees the shared memory that this thread has no more use for. V8 counts none of it (`BackingStore::PerIsolateAccountingLength`),
 * so it would let bodies pile up until the container's limit ends the process.
 */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}
