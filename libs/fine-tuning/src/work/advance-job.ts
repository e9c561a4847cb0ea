import { copyNameOf, type FilePurpose } from '../rules/jobs/job-copies';
import { isOpenJob } from '../rules/jobs/job-state';
import { judgeJob } from '../rules/jobs/judge-job';
import { type FineTuningProvider, type ProviderJob } from '../rules/provider/fine-tuning-provider';
import { type FineTuningJobWork, type JobLease, type JobReport } from './job-work';

/** Reads a training file of an organization from its first byte on. */
export type ReadFile = (
  organizationId: string,
  fileId: string,
) => Promise<{ readonly bytes: number; content(): AsyncIterable<Uint8Array> }>;

interface Advancing {
  readonly provider: FineTuningProvider;
  readonly work: Pick<
    FineTuningJobWork,
    'recordStep' | 'bookReport' | 'cancelUncreated' | 'bookCleaned' | 'postpone'
  >;
  readonly readFile: ReadFile;
  /** Until an open job is asked after again. */
  readonly pollMs: number;
}

/** A final answer is booked without its events after so many tries to read them. */
const EVENTS_TRIES = 3;

/**
 * Moves a job one step on: the question that its row asks for, and the commit of what came of it. A worker may be killed
 * anywhere: the next one asks the provider whether the thing is there before it makes another
 * (docs/decisions/0047).
 * @throws ProviderUnreachable, ProviderRefusal; LeaseLostError where another worker has the job
 */
export async function advanceJob(lease: JobLease, advancing: Advancing): Promise<void> {
  const { job } = lease;
  if (!isOpenJob(job.state)) await cleanUp(lease, advancing);
  else if (job.upstreamJob === null) await prepare(lease, advancing);
  else await poll(lease, job.upstreamJob, advancing);
}

/** The copies of the files, then the job itself. */
async function prepare(lease: JobLease, { provider, work, readFile }: Advancing): Promise<void> {
  const { job } = lease;
  if (job.cancelRequestedAt !== null) {
    const made = await provider.findJob(job.id);
    await (made === null ? work.cancelUncreated(lease) : work.recordStep(lease, { upstreamJob: made.id }));
    return;
  }
  const copyOf = async (fileId: string, purpose: FilePurpose): Promise<string> => {
    const name = copyNameOf(job.id, purpose);
    const found = await provider.findFile(name);
    if (found !== null) return found;
    return provider.uploadFile({ name, ...(await readFile(job.organizationId, fileId)) });
  };
  if (job.upstreamTrainingFile === null) {
    return work.recordStep(lease, { upstreamTrainingFile: await copyOf(job.trainingFileId, 'training') });
  }
  if (job.validationFileId !== null && job.upstreamValidationFile === null) {
    return work.recordStep(lease, {
      upstreamValidationFile: await copyOf(job.validationFileId, 'validation'),
    });
  }
  const made =
    (await provider.findJob(job.id)) ??
    (await provider.createJob({
      jobId: job.id,
      model: job.upstreamModel,
      trainingFile: job.upstreamTrainingFile,
      validationFile: job.upstreamValidationFile,
      suffix: job.suffix,
      seed: job.seed,
      // Exactly as many as money is held for.
      hyperparameters: { ...job.hyperparameters, epochs: job.epochs },
    }));
  return work.recordStep(lease, { upstreamJob: made.id });
}

async function poll(lease: JobLease, id: string, { provider, work, pollMs }: Advancing): Promise<void> {
  const { state, cancelRequestedAt } = lease.job;
  const cancelRequested = cancelRequestedAt !== null;
  const said = await (cancelRequested ? provider.cancelJob(id) : provider.readJob(id));
  if (said === null) return work.postpone(lease, 'forgotten');
  const told = await listened(lease, said, provider);
  await work.bookReport(lease, told, judgeJob({ state, cancelRequested }, said), pollMs);
}

/** The events and checkpoints of the job up to now. Reading it late costs nothing while the job goes on, so trouble with it delays no poll. */
async function listened(
  { lastUpstreamEvent, failures }: JobLease,
  job: ProviderJob,
  provider: FineTuningProvider,
): Promise<JobReport> {
  try {
    const events = await provider.listEvents(job.id, lastUpstreamEvent);
    return { job, events, checkpoints: await provider.listCheckpoints(job.id) };
  } catch (error) {
    if (!isOpenJob(job.status) && failures < EVENTS_TRIES) throw error;
    return { job, events: [], checkpoints: [] };
  }
}

/** Leaves nothing of an ended job at the provider but its model. */
async function cleanUp(lease: JobLease, { provider, work }: Advancing): Promise<void> {
  const { job } = lease;
  // One that the provider did not end itself may be there all the same: nobody pays for it.
  if (job.state !== 'succeeded') {
    const said = await (job.upstreamJob === null
      ? provider.findJob(job.id)
      : provider.readJob(job.upstreamJob));
    if (said !== null && isOpenJob(said.status)) await provider.cancelJob(said.id);
    if (said?.fineTunedModel != null) await provider.deleteModel(said.fineTunedModel);
  }
  const copies = [
    { purpose: 'training', known: job.upstreamTrainingFile },
    { purpose: 'validation', known: job.upstreamValidationFile },
  ] as const;
  for (const { purpose, known } of copies) {
    if (purpose === 'validation' && job.validationFileId === null) continue;
    const copy = known ?? (await provider.findFile(copyNameOf(job.id, purpose)));
    if (copy !== null) await provider.deleteFile(copy);
  }
  await work.bookCleaned(lease);
}
