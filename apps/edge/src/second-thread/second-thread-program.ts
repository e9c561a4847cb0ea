import { parentPort } from 'node:worker_threads';
import { GatewayError } from '@svc/kernel';
import { countOutput } from './count-output';
import { countPrompt } from './count-prompt';
import { lossesOfLargeCall, rewriteLargeCall, translateLargeCall } from './translate-large-call';
import { handedOver } from './large-body';
import { parseLargeCall } from './parse-large-call';
import { type ThreadJobs, type ThreadMessage, type ThreadOutcome, type ThreadRefusal } from './thread-job';

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
}

async function done({ kind, job }: ThreadMessage): Promise<DoneJob> {
  switch (kind) {
    case 'parse':
      return { result: parseLargeCall(job), transferred: [job.bytes] };
    case 'count':
      return { result: await countPrompt(job) };
    case 'output':
      return { result: await countOutput(job) };
    case 'losses':
      return { result: lossesOfLargeCall(job) };
    case 'translate': {
      const result = translateLargeCall(job);
      return { result, transferred: result };
    }
    case 'rewrite': {
      const result = rewriteLargeCall(job);
      return { result, transferred: result };
    }
  }
}

function refusalOf(thrown: unknown): ThreadRefusal {
  const { reason, message, param } = GatewayError.from(thrown);
  return { reason, message, ...(param === undefined ? {} : { param }) };
}
