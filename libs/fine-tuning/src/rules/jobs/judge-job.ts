import { type ProviderJob } from '../provider/fine-tuning-provider';
import { type JobFailureCode, type JobState } from './job-state';

/** The verdict on the provider's report of an open job. */
export type JobVerdict =
  /** It goes on. */
  | { readonly action: 'continue'; readonly state: 'validating_files' | 'queued' | 'running' }
  | { readonly action: 'succeed'; readonly trainedTokens: bigint; readonly upstreamModel: string }
  | { readonly action: 'fail'; readonly code: JobFailureCode; readonly message: string }
  /** `trainedTokens` is what it reports, and is charged. */
  | { readonly action: 'cancel'; readonly trainedTokens: bigint }
  /** The answer settles nothing: it is asked again, as after no answer. */
  | { readonly action: 'askAgain' };

interface JudgedJob {
  readonly state: JobState;
  readonly cancelRequested: boolean;
}

/**
 * Judges an answer about a job (docs/reference/fine-tuning.md#states). What the provider reports decides, not what was
 * asked of it: a cancellation that meets success is success. A job never goes back.
 */
export function judgeJob({ state, cancelRequested }: JudgedJob, said: ProviderJob): JobVerdict {
  switch (said.status) {
    case 'succeeded': {
      const { trainedTokens, fineTunedModel: upstreamModel } = said;
      // Without both, neither the charge nor the model is known yet.
      if (trainedTokens === null || upstreamModel === null) return { action: 'askAgain' };
      return { action: 'succeed', trainedTokens, upstreamModel };
    }
    case 'failed':
      // Some providers end what they were told to cancel as failed, and blame nothing.
      if (cancelRequested && said.failure === null) return cancelled(said);
      return failed(said);
    case 'cancelled':
      // Nobody here asked for it: somebody did at the provider.
      return cancelled(said);
    default:
      return { action: 'continue', state: later(state, said.status) };
  }
}

const cancelled = ({ trainedTokens }: ProviderJob): JobVerdict => ({
  action: 'cancel',
  trainedTokens: trainedTokens ?? 0n,
});

function failed({ failure }: ProviderJob): JobVerdict {
  const code = failure?.isFile === true ? 'training_file_rejected' : 'provider_error';
  return { action: 'fail', code, message: failureMessage(code, failure?.code ?? null) };
}

const ORDER = ['validating_files', 'queued', 'running'] as const;

/** The provider checks the files once more: a job that is queued here is not shown as one whose files wait. */
function later(state: JobState, said: (typeof ORDER)[number]): (typeof ORDER)[number] {
  const at = ORDER.findIndex((one) => one === state);
  // The provider has it, so it is queued at least.
  return ORDER[Math.max(at, ORDER.indexOf(said), 1)] ?? 'queued';
}

/** A provider's code is shown where it has the form of one: no text of a provider is. */
const SHOWN_CODE = /^[A-Za-z0-9_.-]{1,64}$/;

const REASONS: Readonly<Record<JobFailureCode, string>> = {
  training_file_rejected: 'The provider refused the training file',
  provider_error: 'The provider could not train the model',
  provider_unreachable: 'The provider was out of reach for 72 hours',
};

/** @param providerCode the provider's own; null for none. */
export function failureMessage(code: JobFailureCode, providerCode: string | null = null): string {
  const shown = providerCode !== null && SHOWN_CODE.test(providerCode) ? ` (${providerCode})` : '';
  return `${REASONS[code]}${shown}.`;
}
