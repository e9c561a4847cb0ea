import { List, Resource, unknownCursor, type Call } from '@svc/api';
import { JobProgress } from './job-progress';
import {
  managedCheckpoint,
  managedJobEvent,
  managedLoss,
  presentManagedCheckpoint,
  presentManagedEvent,
  presentManagedLoss,
} from './job-progress-schema';

const ids = { fine_tuning_job_id: 'fineTuningJob' } as const;
/** As many as a chart has room for. */
const LOSSES_MAX = 200;

@Resource({
  path: 'fine-tuning/jobs/:fine_tuning_job_id',
  one: 'FineTuningJobEvent',
  many: 'FineTuningJobEvents',
  tag: 'Fine-tuning',
  description: 'What jobs said and made on their way.',
})
export class JobProgressController {
  constructor(private readonly progress: JobProgress) {}

  @List('events', {
    summary: 'What the job said, newest first.',
    description: 'As the provider tells it, with the names of this service in place of its own.',
    permission: 'fine_tuning:read',
    scope: null,
    cursor: 'numbered',
    ids,
    item: managedJobEvent,
  })
  async events({ caller, page, ids: { fine_tuning_job_id: jobId } }: Call<{ ids: 'fine_tuning_job_id' }>) {
    const list = { limit: page.limit, after: page.before, unknownAfter: unknownCursor };
    const { items, hasMore } = await this.progress.events(caller, jobId, list);
    return { items: items.map(presentManagedEvent), hasMore };
  }

  @List('checkpoints', {
    summary: 'The checkpoints of the job, newest first.',
    permission: 'fine_tuning:read',
    scope: null,
    operation: 'listFineTuningJobCheckpoints',
    cursor: 'numbered',
    ids,
    item: managedCheckpoint,
  })
  async checkpoints({
    caller,
    page,
    ids: { fine_tuning_job_id: jobId },
  }: Call<{ ids: 'fine_tuning_job_id' }>) {
    const list = { limit: page.limit, after: page.before, unknownAfter: unknownCursor };
    const { items, hasMore } = await this.progress.checkpoints(caller, jobId, list);
    return { items: items.map(presentManagedCheckpoint), hasMore };
  }

  @List('losses', {
    summary: 'The losses of the job, in the order of its steps.',
    description:
      'At most 200. Of a longer job, each stands for steps beside each other: their mean, at the last of them.',
    permission: 'fine_tuning:read',
    scope: null,
    operation: 'listFineTuningJobLosses',
    cursor: null,
    ids,
    item: managedLoss,
  })
  async losses({ caller, ids: { fine_tuning_job_id: jobId } }: Call<{ ids: 'fine_tuning_job_id' }>) {
    const losses = await this.progress.losses(caller, jobId, LOSSES_MAX);
    return { items: losses.map(presentManagedLoss), hasMore: false };
  }
}
