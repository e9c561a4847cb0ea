import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { GatewayError } from '@svc/kernel';
import { heapMibOfSecondThread } from './memory-of-process';
import { handedOver } from './large-body';
import { type ThreadBounds, type ThreadJobs, type ThreadMessage, type ThreadOutcome } from './thread-job';

const MIB = 1024 * 1024;

export type JobThread = Pick<SecondThread, 'run' | 'close'>;

interface WaitingJob {
  resolve(result: ThreadJobs[keyof ThreadJobs]['result']): void;
  reject(error: unknown): void;
}

/** A thread for work that grows with the body, so that it blocks no other caller. It starts with its first job. */
export class SecondThread {
  private worker: Worker | null = null;
  private nextJob = 0;
  private readonly waiting = new Map<number, WaitingJob>();

  /** @param heapMib what a job may take at most: one that would take more is refused (`requireHeap`). */
  constructor(
    private readonly programFile = join(__dirname, 'second-thread-program.js'),
    private readonly heapMib = heapMibOfSecondThread(),
  ) {}

  /**
   * @param job the memory of its bytes is transferred unless it is shared: the caller cannot use it afterwards.
   * @throws GatewayError as the job does; the thread's own error when it dies. The next job then starts a new thread.
   */
  run<K extends keyof ThreadJobs>(kind: K, job: ThreadJobs[K]['job']): Promise<ThreadJobs[K]['result']> {
    const worker = (this.worker ??= this.start());
    const id = this.nextJob++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      const message = { id, kind, job } as ThreadMessage;
      worker.postMessage(message, handedOver(job.bytes));
    });
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(this.programFile, {
      workerData: { heapBytes: this.heapMib * MIB } satisfies ThreadBounds,
      // Garbage of earlier jobs may be as much again. V8's own limit in a small container would end the process.
      resourceLimits: { maxOldGenerationSizeMb: 2 * this.heapMib },
    });
    worker.unref();
    worker.on('message', ({ id, result, refusal }: ThreadOutcome) => {
      const job = this.waiting.get(id);
      this.waiting.delete(id);
      if (result) job?.resolve(result);
      else
        job?.reject(
          new GatewayError(refusal.reason, refusal.message, {
            ...(refusal.param && { param: refusal.param }),
            ...(refusal.status && { status: refusal.status }),
          }),
        );
    });
    worker.on('error', (cause) => {
      this.worker = null;
      for (const job of this.waiting.values()) job.reject(cause);
      this.waiting.clear();
    });
    return worker;
  }
}
