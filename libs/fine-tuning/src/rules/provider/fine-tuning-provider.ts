/** A training file as a provider is to store it. */
export interface ProviderUpload {
  /** Carries our id, by which {@link FineTuningProvider.findFile} finds it after a kill. */
  readonly name: string;
  readonly bytes: number;
  /** Its content from the first byte on; called once for each upload. */
  content(): AsyncIterable<Uint8Array>;
}

export interface NewProviderJob {
  /** Our id: it goes upstream as `metadata.svc_job_id`. */
  readonly jobId: string;
  /** The provider's name of the base model. */
  readonly model: string;
  /** The provider's ids of the files. */
  readonly trainingFile: string;
  readonly validationFile: string | null;
  readonly suffix: string | null;
  readonly seed: number | null;
  readonly hyperparameters: Hyperparameters;
}

/** `auto` leaves the choice to the provider. */
export interface Hyperparameters {
  readonly epochs: number | 'auto';
  readonly batchSize: number | 'auto';
  readonly learningRateMultiplier: number | 'auto';
}

/** A job as it is at the provider now. */
export interface ProviderJob {
  /** The provider's id. */
  readonly id: string;
  readonly status: 'validating_files' | 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';
  /** Null until the provider reports it. */
  readonly trainedTokens: bigint | null;
  /** The provider's name of the result; null without one. */
  readonly fineTunedModel: string | null;
  /** The epochs that it trains or trained; null where it does not say. */
  readonly epochs: number | null;
  readonly estimatedFinishAt: Date | null;
  /** Why it failed: the provider's code, and whether it blames a file. */
  readonly failure: { readonly code: string; readonly isFile: boolean } | null;
}

/** Something that a job said. The provider's id tells repeats. */
export interface ProviderJobEvent {
  readonly id: string;
  readonly createdAt: Date;
  readonly level: 'info' | 'warn' | 'error';
  readonly type: 'message' | 'metrics';
  readonly message: string;
  /** Numbers by name (step, train_loss, …) of an event of type `metrics`. */
  readonly metrics: Readonly<Record<string, number>> | null;
}

/** The model after a step. The provider's id tells repeats. */
export interface ProviderCheckpoint {
  readonly id: string;
  readonly createdAt: Date;
  readonly stepNumber: number;
  readonly metrics: Readonly<Record<string, number>>;
}

/**
 * A provider that trains models, as OpenAI's API of fine-tuning has it. Each question has a bound in time. Each throws
 * {@link ProviderUnreachable} where it is not known what the provider did, and {@link ProviderRefusal} where it refused.
 */
export interface FineTuningProvider {
  /** @returns the provider's id of the file. It may still check the file. */
  uploadFile(upload: ProviderUpload): Promise<string>;
  /** @returns the id of a file of that name; null for none. */
  findFile(name: string): Promise<string | null>;
  /** A file that is gone stays so. */
  deleteFile(id: string): Promise<void>;
  createJob(job: NewProviderJob): Promise<ProviderJob>;
  /** @returns the job that carries our id; null for none. */
  findJob(jobId: string): Promise<ProviderJob | null>;
  /** @returns null where the provider does not know it. */
  readJob(id: string): Promise<ProviderJob | null>;
  /** A job that has ended stays as it is, and is answered so. @returns null where the provider does not know it. */
  cancelJob(id: string): Promise<ProviderJob | null>;
  /** All of its events, oldest first, after the one whose id is given. */
  listEvents(id: string, after: string | null): Promise<readonly ProviderJobEvent[]>;
  /** All of its checkpoints, oldest first. */
  listCheckpoints(id: string): Promise<readonly ProviderCheckpoint[]>;
  /** A model that is gone stays so. */
  deleteModel(name: string): Promise<void>;
}
