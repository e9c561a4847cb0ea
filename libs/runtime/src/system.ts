import { randomBytes, randomFillSync } from 'node:crypto';
import { formatId, ID_ENTROPY_BYTES, type Clock, type NewId, type NewSpanId } from '@svc/kernel';

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() };

const POOLED_IDS = 256;
const entropy = Buffer.alloc(ID_ENTROPY_BYTES * POOLED_IDS);
let used = entropy.length;
let lastMs = 0;
let counter = 0;

/**
 * Ids from the machine's clock and a pool of secure randomness (one system call for 256 ids). Those that a process makes
 * in one millisecond sort as they were made, by a counter in their first 16 bits of randomness (RFC 9562, 6.2, method 1).
 */
export const systemIds: NewId = (kind) => {
  if (used === entropy.length) {
    randomFillSync(entropy);
    used = 0;
  }
  const nowMs = Date.now();
  // The first of a millisecond leaves room for 32,768 more: a process makes a tenth of that.
  counter = nowMs === lastMs ? counter + 1 : entropy.readUInt16BE(used) >>> 1;
  lastMs = nowMs;
  entropy.writeUInt16BE(counter, used);
  const id = formatId(kind, nowMs, entropy, used);
  used += ID_ENTROPY_BYTES;
  return id;
};

const SPAN_ID_BYTES = 8;

/** Ids of spans from secure randomness. */
export const systemSpanIds: NewSpanId = () => randomBytes(SPAN_ID_BYTES).toString('hex');
