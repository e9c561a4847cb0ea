import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { GatewayError } from '@svc/kernel';
import { type ThreadJobs, type ThreadMessage, type ThreadOutcome } from './thread-job';

/** What a thread is to whoever has a job for it. */
export type JobThread = Pick<SecondThread, 'run' | 'close'>;

interface WaitingJob {
  resolve(result: ThreadJobs[keyof ThreadJobs]['result']): void;
  reject(error: unknown): void;
}

/** The thread for whatever grows with a body, so that it holds no other caller up. It starts with its first job. */
export class SecondThread {
  private worker: Worker | null = null;
  private nextJob = 0;
  private readonly waiting = new Map<number, WaitingJob>();

  /** `programFile`: what the thread runs. */
  constructor(private readonly programFile = join(__dirname, 'second-thread-program.js')) {}

  /**
   * @param job its bytes go over with their memory: they are the job's alone.
   * @throws GatewayError as the job does; the thread's own error when it dies, after which the next job gets a new one.
   */
  run<K extends keyof ThreadJobs>(kind: K, job: ThreadJobs[K]['job']): Promise<ThreadJobs[K]['result']> {
    const worker = (this.worker ??= this.start());
    const id = this.nextJob++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      const message = { id, kind, job } as ThreadMessage;
      worker.postMessage(message, [job.bytes.buffer as ArrayBuffer]);
    });
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(this.programFile);
    worker.unref();
    worker.on('message', ({ id, result, refusal }: ThreadOutcome) => {
      const job = this.waiting.get(id);
      this.waiting.delete(id);
      if (result) job?.resolve(result);
      else
        job?.reject(
          new GatewayError(refusal.reason, refusal.message, {
            ...(refusal.param && { param: refusal.param }),
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
