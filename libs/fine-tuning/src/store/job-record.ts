import { type FineTuningCheckpoint, type FineTuningJob, type FineTuningJobEvent } from '@svc/database/rows';
import { nanos, timeOfId, type Nanos } from '@svc/kernel';
import { type JobFailureCode, type JobState } from '../rules/jobs/job-state';
import { type Hyperparameters } from '../rules/provider/fine-tuning-provider';

/** Names and numbers by a text, as a job carries them for its maker. */
export type JobMetadata = Readonly<Record<string, string>>;

export interface FineTuningJobRecord {
  readonly id: string;
  readonly organizationId: string;
  /** The project whose key made it; null for the whole organization. */
  readonly projectId: string | null;
  readonly creatorId: string;
  /** The base model, by its id in the catalog. */
  readonly model: string;
  readonly trainingFileId: string;
  readonly validationFileId: string | null;
  readonly suffix: string | null;
  readonly seed: number;
  readonly metadata: JobMetadata | null;
  readonly hyperparameters: Hyperparameters;
  readonly provider: string;
  readonly upstreamModel: string;
  readonly region: string;
  /** The organization's credential that it runs with; null for the platform's. */
  readonly credentialId: string | null;
  /** Femto-dollars, of the catalog. */
  readonly pricePerToken: bigint;
  /** The wallet's part, in basis points of that. */
  readonly priceBps: number;
  /** How many epochs money is held for, and the provider is told. */
  readonly epochs: number;
  /** Of the whole job, also once it has ended. */
  readonly held: Nanos;
  /** Zero until it has ended. */
  readonly charged: Nanos;
  /** The name of its model, whether there is one yet or not. */
  readonly modelName: string;
  readonly state: JobState;
  readonly upstreamTrainingFile: string | null;
  readonly upstreamValidationFile: string | null;
  readonly upstreamJob: string | null;
  readonly trainedTokens: bigint | null;
  readonly failure: { readonly code: JobFailureCode; readonly message: string } | null;
  readonly estimatedFinishAt: Date | null;
  readonly cancelRequestedAt: Date | null;
  /** The user or key that asked for it. */
  readonly cancelledBy: string | null;
  /** The time in its id. */
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

export const toJob = (row: FineTuningJob): FineTuningJobRecord => ({
  id: row.id,
  organizationId: row.organizationId,
  projectId: row.projectId,
  creatorId: row.creatorId,
  model: row.model,
  trainingFileId: row.trainingFileId,
  validationFileId: row.validationFileId,
  suffix: row.suffix,
  seed: Number(row.seed),
  metadata: row.metadata as JobMetadata | null,
  hyperparameters: row.hyperparameters as unknown as Hyperparameters,
  provider: row.provider,
  upstreamModel: row.upstreamModel,
  region: row.region,
  credentialId: row.credentialId,
  pricePerToken: row.pricePerTokenFemtos,
  priceBps: row.priceBps,
  epochs: row.epochs,
  held: nanos(row.heldNanos),
  charged: nanos(row.chargedNanos),
  modelName: row.modelName,
  state: row.state as JobState,
  upstreamTrainingFile: row.upstreamTrainingFile,
  upstreamValidationFile: row.upstreamValidationFile,
  upstreamJob: row.upstreamJob,
  trainedTokens: row.trainedTokens,
  failure:
    row.failureCode === null
      ? null
      : { code: row.failureCode as JobFailureCode, message: row.failureMessage ?? '' },
  estimatedFinishAt: row.estimatedFinishAt,
  cancelRequestedAt: row.cancelRequestedAt,
  cancelledBy: row.cancelledBy,
  createdAt: new Date(timeOfId(row.id)),
  endedAt: row.endedAt,
});

/** Something that a job said. */
export interface JobEventRecord {
  readonly jobId: string;
  /** From 1. */
  readonly number: number;
  readonly level: 'info' | 'warn' | 'error';
  readonly type: 'message' | 'metrics';
  readonly message: string;
  readonly metrics: Readonly<Record<string, number>> | null;
  readonly createdAt: Date;
}

export const toJobEvent = (row: FineTuningJobEvent): JobEventRecord => ({
  jobId: row.jobId,
  number: row.number,
  level: row.level as JobEventRecord['level'],
  type: row.type as JobEventRecord['type'],
  message: row.message,
  metrics: row.metrics as JobEventRecord['metrics'],
  createdAt: row.createdAt,
});

/** The model after a step. */
export interface CheckpointRecord {
  readonly jobId: string;
  /** From 1. */
  readonly number: number;
  readonly stepNumber: number;
  readonly metrics: Readonly<Record<string, number>>;
  readonly createdAt: Date;
}

export const toCheckpoint = (row: FineTuningCheckpoint): CheckpointRecord => ({
  jobId: row.jobId,
  number: row.number,
  stepNumber: row.stepNumber,
  metrics: row.metrics as CheckpointRecord['metrics'],
  createdAt: row.createdAt,
});

/** How far a model was from its examples after a step, or the mean of several steps at the last of them. */
export interface LossRecord {
  readonly step: number;
  /** Null where the provider did not say. */
  readonly trainLoss: number | null;
  readonly validLoss: number | null;
}
