import { openWorld } from '../world.mjs';
import { checkAllocations } from './pure-allocations.mjs';
import { checkCoreShare } from './core-share.mjs';

/** Prints broken bounds. @returns whether a call costs about the same as when the bounds were set. */
export async function guard(node) {
  if (!checkAllocations(node)) return false;
  const world = await openWorld({ node });
  try {
    return await checkCoreShare(world);
  } finally {
    await world.close();
  }
}
