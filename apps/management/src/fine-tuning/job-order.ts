import { createHash, randomBytes, randomInt } from 'node:crypto';
import { type z } from 'zod';
import { type newFineTuningJob } from '@svc/api';
import { creatorOf, epochsOf, hyperparametersOf, type Hyperparameters } from '@svc/fine-tuning';
import { type FineTuningOffer } from '@svc/catalog';
import { canonicalJson, GatewayError, isId, type JsonValue } from '@svc/kernel';
import { type TrainingFileRecord } from '@svc/fine-tuning/store';

export type JobBody = z.output<typeof newFineTuningJob>;

const SEED_MAX = 2_147_483_647;
const CREATOR_BYTES = 8;
const NAME_BYTES = 6;

/** The random parts of a job, drawn before its transaction. */
export interface DrawnForJob {
  readonly seed: number;
  /** For an organization that has none. */
  readonly creator: string;
  readonly entropy: Buffer;
}

export const drawForJob = ({ seed }: JobBody): DrawnForJob => ({
  seed: seed ?? randomInt(SEED_MAX),
  creator: creatorOf(randomBytes(CREATOR_BYTES)),
  entropy: randomBytes(NAME_BYTES),
});

/** The order of a training. @throws GatewayError `invalidRequest` */
export function trainingOf(
  body: JobBody,
  { epochs }: FineTuningOffer,
): { readonly hyperparameters: Hyperparameters; readonly epochs: number } {
  const given = { hyperparameters: body.hyperparameters, method: methodIn(body) };
  const hyperparameters = hyperparametersOf(given);
  return { hyperparameters, epochs: epochsOf(hyperparameters, epochs, given) };
}

const methodIn = ({ method }: JobBody) =>
  method && { type: 'supervised' as const, supervised: method.supervised };

/** The answer for a file that is not there, or another's, or a provider's own. */
export function knownFile(found: TrainingFileRecord | null, param: string): TrainingFileRecord {
  if (found !== null) return found;
  throw new GatewayError('notFound', `There is no such file: ${param}.`, { param });
}

export const isFileId = (text: string): boolean => isId('file', text);

/** Of the body: another one under the same key is refused. */
export const hashOf = (body: JobBody): string =>
  createHash('sha256')
    .update(canonicalJson(JSON.parse(JSON.stringify(body)) as JsonValue))
    .digest('hex');
