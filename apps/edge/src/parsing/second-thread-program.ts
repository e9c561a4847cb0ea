import { parentPort, type Transferable } from 'node:worker_threads';
import { GatewayError } from '@svc/kernel';
import { countPrompt } from '../counting/count-prompt';
import { parseLargeCall } from './parse-large-call';
import { type ThreadMessage, type ThreadOutcome } from './thread-job';

let earlierCounts: Promise<void> = Promise.resolve();

/** What SecondThread runs. Bodies are parsed as they come; counts are made one by one, and let parsing in between. */
parentPort?.on('message', ({ id, kind, job }: ThreadMessage) => {
  if (kind === 'count') {
    earlierCounts = earlierCounts.then(async () => {
      try {
        tell({ id, result: await countPrompt(job) });
      } catch (thrown) {
        refuse(id, thrown);
      }
    });
    return;
  }
  try {
    tell({ id, result: parseLargeCall(job) }, [job.bytes.buffer as ArrayBuffer]);
  } catch (thrown) {
    refuse(id, thrown);
  }
});

function refuse(id: number, thrown: unknown): void {
  const { reason, message, param } = GatewayError.from(thrown);
  tell({ id, refusal: { reason, message, ...(param === undefined ? {} : { param }) } });
}

function tell(outcome: ThreadOutcome, passedOn: readonly Transferable[] = []): void {
  parentPort?.postMessage(outcome, passedOn);
}
