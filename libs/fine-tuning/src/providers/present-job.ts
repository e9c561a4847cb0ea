import { z } from 'zod';
import {
  type ProviderCheckpoint,
  type ProviderJob,
  type ProviderJobEvent,
} from '../rules/provider/fine-tuning-provider';
import { ProviderUnreachable } from '../rules/provider/provider-failure';
import { isOfFile } from './provider-answer';

const id = z.string().min(1).max(200);
const seconds = z.number().min(0).max(8.64e12);
const metrics = z.record(z.string(), z.unknown());

/** The fields that are read of OpenAI's objects; they may have more. */
const job = z.object({
  id,
  status: z.enum(['validating_files', 'queued', 'running', 'paused', 'succeeded', 'failed', 'cancelled']),
  trained_tokens: z.int().min(0).nullish(),
  fine_tuned_model: z.string().max(500).nullish(),
  estimated_finish: seconds.nullish(),
  hyperparameters: z.object({ n_epochs: z.unknown() }).nullish(),
  method: z
    .object({
      supervised: z.object({ hyperparameters: z.object({ n_epochs: z.unknown() }).nullish() }).nullish(),
    })
    .nullish(),
  error: z.object({ code: z.string().nullish(), param: z.string().nullish() }).nullish(),
});
const event = z.object({
  id,
  created_at: seconds,
  level: z.enum(['info', 'warn', 'error']).catch('info'),
  type: z.enum(['message', 'metrics']).nullish(),
  message: z.string(),
  data: metrics.nullish().catch(null),
});
const checkpoint = z.object({
  id,
  created_at: seconds,
  step_number: z.int().min(0),
  metrics: metrics.nullish().catch(null),
});

const CODE_MAX = 100;
const MESSAGE_MAX = 2_000;

/** @throws ProviderUnreachable for what is no job. */
export function readJob(answer: unknown): ProviderJob {
  const read = parsed(job, answer);
  const epochs = read.method?.supervised?.hyperparameters?.n_epochs ?? read.hyperparameters?.n_epochs;
  const failed = read.status === 'failed';
  return {
    id: read.id,
    // A job that somebody paused at the provider runs on some time.
    status: read.status === 'paused' ? 'running' : read.status,
    trainedTokens: read.trained_tokens == null ? null : BigInt(read.trained_tokens),
    fineTunedModel: read.fine_tuned_model || null,
    epochs: Number.isInteger(epochs) ? (epochs as number) : null,
    estimatedFinishAt: read.estimated_finish ? new Date(read.estimated_finish * 1_000) : null,
    failure: failed
      ? {
          code: (read.error?.code ?? 'unknown').slice(0, CODE_MAX),
          isFile: isOfFile(read.error?.code ?? null, read.error?.param ?? null),
        }
      : null,
  };
}

/** @throws ProviderUnreachable for what is no event. */
export function readEvent(answer: unknown): ProviderJobEvent {
  const read = parsed(event, answer);
  const numbers = numbersIn(read.data);
  const isMetrics = read.type === 'metrics' && numbers !== null;
  return {
    id: read.id,
    createdAt: new Date(read.created_at * 1_000),
    level: read.level,
    type: isMetrics ? 'metrics' : 'message',
    message: read.message.slice(0, MESSAGE_MAX),
    metrics: isMetrics ? numbers : null,
  };
}

/** @throws ProviderUnreachable for what is no checkpoint. */
export function readCheckpoint(answer: unknown): ProviderCheckpoint {
  const read = parsed(checkpoint, answer);
  return {
    id: read.id,
    createdAt: new Date(read.created_at * 1_000),
    stepNumber: read.step_number,
    metrics: numbersIn(read.metrics) ?? {},
  };
}

/** @throws ProviderUnreachable for what has no id. */
export const readObjectId = (answer: unknown): string => parsed(z.object({ id }), answer).id;

function numbersIn(
  values: Readonly<Record<string, unknown>> | null | undefined,
): Readonly<Record<string, number>> | null {
  if (values == null) return null;
  const numbers = Object.entries(values).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number' && Number.isFinite(entry[1]),
  );
  return Object.fromEntries(numbers);
}

/** @throws ProviderUnreachable, which quotes nothing of the answer. */
export function parsed<T>(schema: z.ZodType<T>, answer: unknown): T {
  const result = schema.safeParse(answer);
  if (result.success) return result.data;
  const fields = [...new Set(result.error.issues.map(({ path }) => path.join('.')))].join(', ');
  throw new ProviderUnreachable(`The provider’s answer is not as its API has it: ${fields || 'the answer'}.`);
}
