import { Injectable } from '@nestjs/common';
import { type Caller } from '@svc/api';
import { type GatewayError, type Slice } from '@svc/kernel';
import {
  FineTuningJobStore,
  type CheckpointRecord,
  type FineTuningJobRecord,
  type JobEventRecord,
  type LossRecord,
} from '@svc/fine-tuning/store';
import { FineTuningJobs } from './fine-tuning-jobs';
import { numberIn, type NumberedPrefix } from './job-progress-schema';

/** A page of what a job said or made. */
interface NumberedList {
  readonly limit: number;
  /** The id of the last one of the page before; null for the first page. */
  readonly after: string | null;
  /** The error where `after` is no id of the job. */
  readonly unknownAfter: () => GatewayError;
}

/** Events and checkpoints of jobs. Workers mirror it (docs/reference/fine-tuning.md#jobs). */
@Injectable()
export class JobProgress {
  constructor(
    private readonly jobs: FineTuningJobs,
    private readonly store: FineTuningJobStore,
  ) {}

  /** Newest first. @throws GatewayError `notFound`; what the list says for a page after no event of the job. */
  async events(caller: Caller, jobId: string, list: NumberedList): Promise<Slice<JobEventRecord>> {
    await this.jobs.get(caller, jobId);
    return this.store.listEvents(jobId, { limit: list.limit, below: numberOf(list, 'ftevent', jobId) });
  }

  /** Newest first. @throws GatewayError as {@link events}. */
  async checkpoints(
    caller: Caller,
    jobId: string,
    list: NumberedList,
  ): Promise<Slice<CheckpointRecord> & { readonly job: FineTuningJobRecord }> {
    const job = await this.jobs.get(caller, jobId);
    const page = { limit: list.limit, below: numberOf(list, 'ftckpt', jobId) };
    return { ...(await this.store.listCheckpoints(jobId, page)), job };
  }

  /** In the order of the steps. @throws GatewayError `notFound`. */
  async losses(caller: Caller, jobId: string, max: number): Promise<readonly LossRecord[]> {
    await this.jobs.get(caller, jobId);
    return this.store.losses(jobId, max);
  }
}

function numberOf(
  { after, unknownAfter }: NumberedList,
  prefix: NumberedPrefix,
  jobId: string,
): number | null {
  if (after === null) return null;
  const number = numberIn(after, prefix, jobId);
  if (number === null) throw unknownAfter();
  return number;
}
