import { FairQueue } from '../fairness/fair-queue';
import { type JobThread } from './second-thread';
import { type ThreadJobs } from './thread-job';

/**
 * The second thread, shared by all organizations through fair queues weighted by bytes. Counts of prompts take seconds,
 * and callers wait for counts of outputs. Both yield to other jobs, so they have queues of their own.
 */
export class SharedThread {
  private readonly counts = new FairQueue();
  private readonly outputs = new FairQueue();
  private readonly others = new FairQueue();

  constructor(private readonly thread: JobThread) {}

  /**
   * @param makeJob makes a job of `byteCount` bytes when it is next, so that a waiting job copies nothing.
   * @throws as {@link JobThread.run} does.
   */
  run<K extends keyof ThreadJobs>(
    kind: K,
    organizationId: string,
    byteCount: number,
    makeJob: () => ThreadJobs[K]['job'],
  ): Promise<ThreadJobs[K]['result']> {
    return this.queueOf(kind).run(organizationId, byteCount, () => this.thread.run(kind, makeJob()));
  }

  private queueOf(kind: keyof ThreadJobs): FairQueue {
    if (kind === 'count') return this.counts;
    return kind === 'output' ? this.outputs : this.others;
  }
}
