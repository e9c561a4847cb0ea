import { Act, Create, Get, List, newFineTuningJob, Resource, type Call } from '@svc/api';
import { FineTuningJobStore, TrainingFileStore, TunedModelStore } from '@svc/fine-tuning/store';
import { PolicyStore, ProviderCredentialStore } from '@svc/policy/store';
import { EdgeFactsStore } from '@svc/usage/store';
import { type Collection } from '../collection';
import { CallerPolicies } from '../routing/caller-policies';
import { RoutingSource } from '../routing/routing-source';
import { FineTuningJobs } from './fine-tuning-jobs';
import { JobProgress } from './job-progress';
import { JobProgressController } from './job-progress.controller';
import { managedJob, managedJobFilters, newJobHeaders, presentManagedJob } from './job-schema';
import { OpenAiJobsController } from './openai-jobs.controller';
import { TunedModels } from './tuned-models';
import { TunedModelsController } from './tuned-models.controller';

const ids = { fine_tuning_job_id: 'fineTuningJob' } as const;

@Resource({
  path: 'fine-tuning/jobs',
  one: 'FineTuningJob',
  many: 'FineTuningJobs',
  tag: 'Fine-tuning',
  description:
    'Training of models, with what it costs. `/v1/fine_tuning/jobs` has the same jobs in the form of OpenAI’s API.',
})
class FineTuningJobsController {
  constructor(private readonly jobs: FineTuningJobs) {}

  @List('', {
    summary: 'The jobs, newest first.',
    description: 'A project’s key sees those that keys of its project made.',
    permission: 'fine_tuning:read',
    scope: null,
    cursor: 'fineTuningJob',
    query: managedJobFilters,
    item: managedJob,
  })
  async list({ caller, page, query }: Call<{ query: typeof managedJobFilters }>) {
    const { items, hasMore } = await this.jobs.page(caller, page, query.state);
    return { items: items.map(presentManagedJob), hasMore };
  }

  @Get(':fine_tuning_job_id', {
    summary: 'One job, with its money.',
    permission: 'fine_tuning:read',
    scope: null,
    ids,
    answer: managedJob,
  })
  async get({ caller, ids: { fine_tuning_job_id: jobId } }: Call<{ ids: 'fine_tuning_job_id' }>) {
    return presentManagedJob(await this.jobs.get(caller, jobId));
  }

  @Create('', {
    summary: 'Trains a model with a file.',
    description:
      'What it costs at most is held in the wallet until it ends: the tokens of the file in all epochs and a tenth more, at the ' +
      'price of the catalog. Three jobs of an organization are open at a time, unless the operator allows more.',
    permission: 'fine_tuning:write',
    scope: null,
    approval: 'fine_tuning_job.create',
    headers: newJobHeaders,
    errors: [
      'unsupportedParameter',
      'insufficientFunds',
      'budgetExceeded',
      'notFound',
      'conflict',
      'idempotencyKeyReused',
      'noEligibleRoute',
      'operationUnsupported',
    ],
    body: newFineTuningJob,
    answer: managedJob,
  })
  async create({
    caller,
    body,
    headers,
  }: Call<{ body: typeof newFineTuningJob; headers: typeof newJobHeaders }>) {
    return presentManagedJob(await this.jobs.create(caller, body, headers['Idempotency-Key'] ?? null));
  }

  @Act(':fine_tuning_job_id/cancel', {
    summary: 'Cancels a job that has not ended.',
    description:
      'It has ended once the provider confirms it. What is trained by then is charged where the provider reports it. A ' +
      'cancellation that meets success is success.',
    permission: 'fine_tuning:write',
    scope: null,
    errors: ['conflict'],
    ids,
    answer: managedJob,
  })
  async cancel({ caller, ids: { fine_tuning_job_id: jobId } }: Call<{ ids: 'fine_tuning_job_id' }>) {
    return presentManagedJob(await this.jobs.cancel(caller, jobId));
  }
}

export const fineTuning: Collection = {
  controllers: [FineTuningJobsController, JobProgressController, OpenAiJobsController, TunedModelsController],
  services: [FineTuningJobs, JobProgress, RoutingSource, CallerPolicies, TunedModels],
  stores: [
    EdgeFactsStore,
    FineTuningJobStore,
    PolicyStore,
    ProviderCredentialStore,
    TrainingFileStore,
    TunedModelStore,
  ],
};
