import { parentPort } from 'node:worker_threads';
import { GatewayError } from '@svc/kernel';
import { countPrompt } from '../counting/count-prompt';
import { lossesOfLargeCall, translateLargeCall } from '../dispatch/translate-large-call';
import { parseLargeCall } from './parse-large-call';
import { type ThreadJobs, type ThreadMessage, type ThreadOutcome, type ThreadRefusal } from './thread-job';

interface DoneJob {
  readonly result: ThreadJobs[keyof ThreadJobs]['result'];
  /** Bytes of the result whose memory goes over with it. */
  readonly passedOn?: readonly Uint8Array[];
}

/** What SecondThread runs. Jobs are done as they come; a count lets others in between. */
parentPort?.on('message', (message: ThreadMessage) => void answer(message));

async function answer(message: ThreadMessage): Promise<void> {
  const { id } = message;
  try {
    const { result, passedOn = [] } = await done(message);
    const memory = passedOn.map(({ buffer }) => buffer as ArrayBuffer);
    parentPort?.postMessage({ id, result } satisfies ThreadOutcome, memory);
  } catch (thrown) {
    parentPort?.postMessage({ id, refusal: refusalOf(thrown) } satisfies ThreadOutcome);
  }
}

async function done({ kind, job }: ThreadMessage): Promise<DoneJob> {
  switch (kind) {
    case 'parse':
      return { result: parseLargeCall(job), passedOn: [job.bytes] };
    case 'count':
      return { result: await countPrompt(job) };
    case 'losses':
      return { result: lossesOfLargeCall(job) };
    case 'translate': {
      const result = translateLargeCall(job);
      return { result, passedOn: result };
    }
  }
}

function refusalOf(thrown: unknown): ThreadRefusal {
  const { reason, message, param } = GatewayError.from(thrown);
  return { reason, message, ...(param === undefined ? {} : { param }) };
}
