import { parentPort, workerData } from 'node:worker_threads';
import { GatewayError } from '@svc/kernel';
import { countOutput } from './count-output';
import { countPrompt } from './count-prompt';
import { lossesOfLargeCall, rewriteLargeCall, translateLargeCall } from './translate-large-call';
import { collectGarbage } from './collect-garbage';
import { handedOver, SHARED_BYTES_MIN } from './large-body';
import { parseLargeCall } from './parse-large-call';
import { heapForStrings, requireHeap } from './require-heap';
import {
  type ThreadBounds,
  type ThreadJobs,
  type ThreadMessage,
  type ThreadOutcome,
  type ThreadRefusal,
} from './thread-job';

/** The caller's values, those of the translation, and what becomes of one in the other. */
const TRANSLATIONS = 2;

interface DoneJob {
  readonly result: ThreadJobs[keyof ThreadJobs]['result'];
  /** Bytes of the result whose memory is transferred. */
  readonly transferred?: readonly Uint8Array[];
}

/** The program of SecondThread. Jobs run as they arrive; counts yield to others. */
parentPort?.on('message', (message: ThreadMessage) => void answer(message));

async function answer(message: ThreadMessage): Promise<void> {
  const { id } = message;
  try {
    const { result, transferred = [] } = await done(message);
    const memory = transferred.flatMap(handedOver);
    parentPort?.postMessage({ id, result } satisfies ThreadOutcome, memory);
  } catch (thrown) {
    parentPort?.postMessage({ id, refusal: refusalOf(thrown) } satisfies ThreadOutcome);
  }
  // In a turn of its own, in which nothing refers to the job any more.
  if (message.job.bytes.byteLength >= SHARED_BYTES_MIN) setImmediate(collectGarbage);
}

const { heapBytes } = workerData as ThreadBounds;

async function done({ kind, job }: ThreadMessage): Promise<DoneJob> {
  switch (kind) {
    case 'parse':
      requireHeap(job.bytes, { heapBytes });
      return { result: parseLargeCall(job), transferred: [job.bytes] };
    case 'count':
      requireHeap(job.bytes, { heapBytes, keepsStrings: true });
      return { result: await countPrompt(job) };
    case 'output':
      return { result: await countOutput(job) };
    case 'losses':
      return { result: lossesOfLargeCall(job) };
    case 'translate': {
      requireHeap(job.bytes, { heapBytes, times: TRANSLATIONS });
      const result = translateLargeCall(job, heapForStrings(job.bytes, heapBytes));
      return { result, transferred: result };
    }
    case 'rewrite': {
      requireHeap(job.bytes, { heapBytes, times: TRANSLATIONS });
      const result = rewriteLargeCall(job, heapForStrings(job.bytes, heapBytes));
      return { result, transferred: result };
    }
  }
}

function refusalOf(thrown: unknown): ThreadRefusal {
  const { reason, message, param, definition } = GatewayError.from(thrown);
  return {
    reason,
    message,
    ...(param === undefined ? {} : { param }),
    ...(definition.status === 413 ? { status: definition.status } : {}),
  };
}
