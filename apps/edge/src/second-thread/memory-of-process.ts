import { totalmem } from 'node:os';

const MIB = 1024 * 1024;
/** More than V8 gives a thread by itself helps no body. */
const HEAP_MIB_MAX = 4096;

/** The bytes that this process may have: the limit of its container, or the machine's memory. */
export const memoryOfProcess = (limit = process.constrainedMemory(), total = totalmem()): number =>
  limit > 0 ? Math.min(limit, total) : total;

/** The heap of the second thread for values and texts of JSON, which many small values make larger than their body. */
export const heapMibOfSecondThread = (memory = memoryOfProcess()): number =>
  Math.min(HEAP_MIB_MAX, Math.floor(memory / 4 / MIB));
