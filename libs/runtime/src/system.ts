import { randomBytes, randomFillSync } from 'node:crypto';
import { formatId, ID_ENTROPY_BYTES, type Clock, type NewId, type NewSpanId } from '@svc/kernel';

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

const POOLED_IDS = 256;
const entropy = Buffer.alloc(ID_ENTROPY_BYTES * POOLED_IDS);
let used = entropy.length;

/** Ids from the machine's clock and a pool of secure randomness (one system call for 256 ids). */
export const systemIds: NewId = (kind) => {
  if (used === entropy.length) {
    randomFillSync(entropy);
    used = 0;
  }
  const id = formatId(kind, Date.now(), entropy, used);
  used += ID_ENTROPY_BYTES;
  return id;
};

const SPAN_ID_BYTES = 8;

/** Ids of spans from secure randomness. */
export const systemSpanIds: NewSpanId = () => randomBytes(SPAN_ID_BYTES).toString('hex');
