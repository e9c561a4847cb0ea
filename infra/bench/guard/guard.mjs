import { openWorld } from '../world.mjs';
import { checkAllocations } from './pure-allocations.mjs';
import { checkCoreShare } from './core-share.mjs';

/** @returns whether a call costs about what it did when the bounds were set. What does not is said. */
export async function guard(node) {
  if (!checkAllocations(node)) return false;
  const world = await openWorld({ node });
  try {
    return await checkCoreShare(world);
  } finally {
    await world.close();
  }
}
