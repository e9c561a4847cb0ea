import { type PromptCount } from '@svc/catalog';
import { type ErrorName } from '@svc/kernel';
import { type Loss } from '@svc/protocol';
import { type CountJob } from './count-job';
import { type LossesJob, type RewriteJob, type TranslateJob } from './translation-jobs';
import { type OutputCount, type OutputJob } from './output-job';
import { type FingerprintedCall, type ParseJob } from './parse-job';

/** The jobs of the second thread and their results, by kind. */
export interface ThreadJobs {
  readonly parse: { readonly job: ParseJob; readonly result: FingerprintedCall };
  readonly count: { readonly job: CountJob; readonly result: PromptCount };
  readonly output: { readonly job: OutputJob; readonly result: OutputCount };
  readonly losses: { readonly job: LossesJob; readonly result: readonly (readonly Loss[])[] };
  readonly translate: { readonly job: TranslateJob; readonly result: readonly Uint8Array[] };
  readonly rewrite: { readonly job: RewriteJob; readonly result: readonly Uint8Array[] };
}

export type ThreadMessage = {
  [K in keyof ThreadJobs]: { readonly id: number; readonly kind: K; readonly job: ThreadJobs[K]['job'] };
}[keyof ThreadJobs];

export type ThreadOutcome =
  | {
      readonly id: number;
      readonly result: ThreadJobs[keyof ThreadJobs]['result'];
      readonly refusal?: undefined;
    }
  | { readonly id: number; readonly result?: undefined; readonly refusal: ThreadRefusal };

/** The bounds that the program is started with. */
export interface ThreadBounds {
  /** The most that the values of one job take. */
  readonly heapBytes: number;
}

/** A GatewayError in a message between threads. */
export interface ThreadRefusal {
  readonly reason: ErrorName;
  readonly message: string;
  readonly param?: string;
  readonly status?: 413;
}
