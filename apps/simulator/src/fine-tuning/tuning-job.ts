import { CLOCK, type FineTuningDirective } from './fine-tuning-settings';

export interface NewTuningJob {
  readonly id: string;
  readonly model: string;
  readonly trainingFile: string;
  readonly validationFile: string | null;
  readonly suffix: string | null;
  readonly seed: number;
  readonly epochs: number;
  readonly batchSize: number;
  readonly learningRateMultiplier: number;
  readonly metadata: Readonly<Record<string, string>> | null;
  /** The name of the model, if it comes to one. */
  readonly result: string;
  readonly tokens: number;
  readonly createdAtMs: number;
  readonly directive: FineTuningDirective;
}

type Status = 'validating_files' | 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

interface JobEvent {
  readonly atMs: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, number>>;
}

const STEPS_PER_EPOCH = 3;
const FAILURES = {
  rejected: {
    code: 'invalid_training_file',
    message: 'The training file was rejected by the simulator, as directed.',
    param: 'training_file',
  },
  fails: { code: 'server_error', message: 'The simulator was told to fail this job.', param: null },
} as const;

/** A job whose state is a function of the time since it was made. */
export class TuningJob {
  private cancelledAtMs: number | null = null;
  private readonly queuedAtMs: number;
  private readonly runningAtMs: number;
  private readonly endsAtMs: number;

  constructor(readonly job: NewTuningJob) {
    const { directive, createdAtMs } = job;
    this.queuedAtMs = createdAtMs + (directive.validate_ms ?? CLOCK.validate_ms);
    this.runningAtMs = this.queuedAtMs + (directive.queue_ms ?? CLOCK.queue_ms);
    const trainMs = directive.job === 'hangs' ? Infinity : (directive.train_ms ?? CLOCK.train_ms);
    this.endsAtMs = this.runningAtMs + trainMs;
  }

  /** True where the provider has lost it. */
  isForgotten(nowMs: number): boolean {
    const { forget_after_ms: afterMs } = this.job.directive;
    return afterMs !== undefined && nowMs >= this.job.createdAtMs + afterMs;
  }

  /** @returns false for one that has ended. */
  cancel(nowMs: number): boolean {
    if (this.finishedAtMs(nowMs) !== null) return false;
    if (this.job.directive.ignores_cancel !== true) this.cancelledAtMs = nowMs;
    return true;
  }

  status(nowMs: number): Status {
    if (this.cancelledAtMs !== null) return 'cancelled';
    if (nowMs < this.queuedAtMs) return 'validating_files';
    if (this.job.directive.file === 'rejected') return 'failed';
    if (nowMs < this.runningAtMs) return 'queued';
    if (nowMs < this.endsAtMs) return 'running';
    return this.job.directive.job === 'fails' ? 'failed' : 'succeeded';
  }

  /** https://developers.openai.com/api/reference/resources/fine_tuning, as it is at the time. */
  present(nowMs: number) {
    const { job } = this;
    const status = this.status(nowMs);
    const finishedAtMs = this.finishedAtMs(nowMs);
    const hyperparameters = {
      n_epochs: job.epochs,
      batch_size: job.batchSize,
      learning_rate_multiplier: job.learningRateMultiplier,
    };
    return {
      id: job.id,
      object: 'fine_tuning.job' as const,
      created_at: seconds(job.createdAtMs),
      error: status === 'failed' ? this.failure() : null,
      fine_tuned_model: status === 'succeeded' ? job.result : null,
      finished_at: finishedAtMs === null ? null : seconds(finishedAtMs),
      hyperparameters,
      method: { type: 'supervised' as const, supervised: { hyperparameters } },
      model: job.model,
      organization_id: 'org-simulator',
      result_files: [],
      seed: job.seed,
      status,
      trained_tokens: this.trainedTokens(nowMs),
      training_file: job.trainingFile,
      validation_file: job.validationFile,
      estimated_finish: status === 'running' && this.endsAtMs < Infinity ? seconds(this.endsAtMs) : null,
      integrations: [],
      metadata: job.metadata,
      user_provided_suffix: job.suffix,
    };
  }

  /** Newest first. */
  events(nowMs: number) {
    const events = this.allEvents()
      .filter(({ atMs }) => atMs <= (this.finishedAtMs(nowMs) ?? nowMs))
      .map(({ atMs, message, data }, at) => ({
        id: `ftevent-${this.job.id.slice('ftjob-'.length)}-${String(at)}`,
        object: 'fine_tuning.job.event' as const,
        created_at: seconds(atMs),
        level: 'info' as const,
        message,
        type: data === undefined ? ('message' as const) : ('metrics' as const),
        data: data ?? null,
      }))
      .reverse();
    return this.repeated(events);
  }

  /** One an epoch, newest first. */
  checkpoints(nowMs: number) {
    const checkpoints = this.steps()
      .filter(({ atMs, isEpochEnd }) => isEpochEnd && atMs <= (this.finishedAtMs(nowMs) ?? nowMs))
      .map(({ atMs, step, loss }) => ({
        id: `ftckpt_${this.job.id.slice('ftjob-'.length)}_${String(step)}`,
        object: 'fine_tuning.job.checkpoint' as const,
        created_at: seconds(atMs),
        fine_tuned_model_checkpoint: `${this.job.result}:ckpt-step-${String(step)}`,
        fine_tuning_job_id: this.job.id,
        metrics: { step, train_loss: loss },
        step_number: step,
      }))
      .reverse();
    return this.repeated(checkpoints);
  }

  private repeated<T>(listed: readonly T[]): readonly T[] {
    return this.job.directive.repeats === true ? listed.flatMap((one) => [one, one]) : listed;
  }

  private finishedAtMs(nowMs: number): number | null {
    if (this.cancelledAtMs !== null) return this.cancelledAtMs;
    const endsAtMs = this.job.directive.file === 'rejected' ? this.queuedAtMs : this.endsAtMs;
    return nowMs < endsAtMs ? null : endsAtMs;
  }

  private failure() {
    return this.job.directive.file === 'rejected' ? FAILURES.rejected : FAILURES.fails;
  }

  private trainedTokens(nowMs: number): number | null {
    const { tokens, epochs, directive } = this.job;
    const whole = directive.trained_tokens ?? tokens * epochs;
    const status = this.status(nowMs);
    if (status === 'succeeded') return whole;
    if (status !== 'cancelled' || directive.tokens_of_cancelled !== true) return null;
    const trainedMs = Math.max(0, (this.cancelledAtMs ?? 0) - this.runningAtMs);
    const share =
      this.endsAtMs === Infinity ? 0.5 : trainedMs / Math.max(1, this.endsAtMs - this.runningAtMs);
    return Math.floor(whole * Math.min(1, share));
  }

  private steps() {
    const count = this.job.epochs * STEPS_PER_EPOCH;
    const trainMs = this.endsAtMs === Infinity ? CLOCK.train_ms : this.endsAtMs - this.runningAtMs;
    return Array.from({ length: count }, (_, at) => ({
      step: at + 1,
      atMs: this.runningAtMs + Math.floor((trainMs * (at + 1)) / (count + 1)),
      loss: Math.round(2_000 / (at + 2)) / 1_000,
      isEpochEnd: (at + 1) % STEPS_PER_EPOCH === 0,
    }));
  }

  private allEvents(): readonly JobEvent[] {
    const { id, trainingFile, createdAtMs, directive, result } = this.job;
    const first = [
      { atMs: createdAtMs, message: `Created fine-tuning job: ${id}` },
      { atMs: createdAtMs, message: `Validating training file: ${trainingFile}` },
    ];
    if (directive.file === 'rejected')
      return [...first, { atMs: this.queuedAtMs, message: this.failure().message }];
    const steps = this.steps();
    const training = steps.map(({ atMs, step, loss }) => ({
      atMs,
      message: `Step ${String(step)}/${String(steps.length)}: training loss=${loss.toFixed(2)}`,
      data: { step, total_steps: steps.length, train_loss: loss },
    }));
    const last =
      directive.job === 'fails'
        ? [this.failure().message]
        : [`New fine-tuned model created: ${result}`, 'The job has successfully completed'];
    return [
      ...first,
      { atMs: this.queuedAtMs, message: 'Files validated, moving job to queued state' },
      { atMs: this.runningAtMs, message: 'Fine-tuning job started' },
      ...training,
      ...last.map((message) => ({ atMs: this.endsAtMs, message })),
    ];
  }
}

const seconds = (ms: number): number => Math.floor(ms / 1_000);
