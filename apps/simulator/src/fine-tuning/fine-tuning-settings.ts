import { z } from 'zod';
import { Refusal } from '../refusal';

const MAX_MS = 3_600_000;
const ms = z.int().min(0).max(MAX_MS);

/** Directions of a training file for its job, its model, and the endpoints that serve it. The README has a line for each field. */
const directed = {
  validate_ms: ms,
  queue_ms: ms,
  train_ms: ms,
  file: z.enum(['refused', 'rejected']),
  job: z.enum(['refused', 'fails', 'hangs']),
  forget_after_ms: ms,
  repeats: z.boolean(),
  trained_tokens: z.int().min(0),
  tokens_of_cancelled: z.boolean(),
  ignores_cancel: z.boolean(),
  start_ms: ms,
  stop_ms: ms,
  endpoint: z.enum(['refused', 'never_starts', 'fails']),
  gone_after_ms: ms,
  ignored_stops: z.int().min(0),
};

export const fineTuningDirectiveSchema = z.strictObject(directed).partial();

/** Settings for everything, until it is told otherwise: directions for all files, and faults of calls. */
export const fineTuningSettingsSchema = z
  .strictObject({
    ...directed,
    fault: z.enum(['reset', 'silence', 'lost_answer', 'malformed', 'error']),
    fault_count: z.int().min(1),
    fault_route: z.string(),
  })
  .partial();

export type FineTuningDirective = z.infer<typeof fineTuningDirectiveSchema>;
export type FineTuningSettings = z.infer<typeof fineTuningSettingsSchema>;

/** Long enough to be seen by somebody who tries it, short enough not to wait for. */
export const CLOCK = {
  validate_ms: 300,
  queue_ms: 300,
  train_ms: 2_000,
  start_ms: 1_000,
  stop_ms: 300,
} as const;

/** @throws Refusal 400, so that a misspelt direction never looks like a success. */
export function readSettings<T>(schema: z.ZodType<T>, json: string): T {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Refusal(400, 'The simulator directive is no valid JSON.', { code: 'invalid_directive' });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.join('.') || 'directive'}: ${message}`,
  );
  throw new Refusal(400, `Wrong simulator directive: ${problems.join('; ')}`, { code: 'invalid_directive' });
}
