import { LeaseLostError } from '@svc/database';
import { type Logger } from '@svc/runtime/observability';
import { isOpenJob } from '../rules/jobs/job-state';
import { ProviderRefusal, ProviderUnreachable } from '../rules/provider/provider-failure';
import { advanceJob, type ReadFile } from './advance-job';
import { type FineTuningJobWork, type JobLease } from './job-work';
import { type ProviderSource } from './provider-source';

export interface JobWorking {
  readonly work: FineTuningJobWork;
  readonly providerOf: ProviderSource;
  readonly readFile: ReadFile;
  readonly pollMs: number;
  readonly logger: Logger;
  /** Called for each question that came to nothing. */
  readonly onPollFailure: () => void;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

/** Well below a lease, so that it never runs out under a worker that lives. */
const PROLONG_EVERY_MS = 20_000;

/** Claims the job that is due longest, and moves it one step on. */
export async function workOnJob(working: JobWorking): Promise<{ readonly more: boolean }> {
  if (working.stopping.aborted) return { more: false };
  const [lease] = await working.work.claim(1);
  if (lease === undefined) return { more: false };
  const alive = setInterval(() => {
    // A worker that cannot say so loses the job, which its next commit notices.
    working.work.prolong(lease).catch(() => undefined);
  }, PROLONG_EVERY_MS);
  try {
    await advance(lease, working);
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error;
  } finally {
    clearInterval(alive);
  }
  return { more: true };
}

async function advance(lease: JobLease, working: JobWorking): Promise<void> {
  const { work, providerOf, logger, onPollFailure } = working;
  const { job } = lease;
  try {
    await advanceJob(lease, { ...working, provider: await providerOf(job) });
  } catch (error) {
    if (error instanceof LeaseLostError) throw error;
    const known = { fine_tuning_job_id: job.id, provider: job.provider, state: job.state };
    if (error instanceof ProviderRefusal && isOpenJob(job.state) && job.upstreamJob === null) {
      logger.warn({ ...known, provider_code: error.providerCode }, 'provider refused a fine-tuning job');
      const code = error.subject === 'file' ? 'training_file_rejected' : 'provider_error';
      return work.bookRefusal(lease, code, error.providerCode);
    }
    onPollFailure();
    if (!(error instanceof ProviderUnreachable || error instanceof ProviderRefusal)) {
      logger.error({ ...known, err: error }, 'fine-tuning job not moved on: it is tried again');
    } else {
      logger.warn(
        { ...known, err: error },
        'provider of a fine-tuning job did not answer: it is asked again',
      );
    }
    await work.postpone(lease, 'unreachable');
  }
}
