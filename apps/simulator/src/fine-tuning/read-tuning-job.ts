import {
  type BodyFields,
  isFields,
  missing,
  optionalCount,
  requiredText,
  wrongType,
} from '../body/body-fields';
import { type NewTuningJob } from './tuning-job';

const EPOCHS_DEFAULT = 3;
const SUFFIX_MAX = 64;

type AskedJob = Omit<NewTuningJob, 'id' | 'result' | 'tokens' | 'createdAtMs' | 'directive'>;

/** The body of a new job. @throws Refusal 400. */
export function readTuningJob(body: BodyFields): AskedJob {
  const hyperparameters = readHyperparameters(body);
  const suffix = body.suffix ?? null;
  if (suffix !== null && (typeof suffix !== 'string' || suffix.length > SUFFIX_MAX))
    throw wrongType('suffix', 'a string of up to 64 characters');
  const validationFile = body.validation_file ?? null;
  if (validationFile !== null && typeof validationFile !== 'string')
    throw wrongType('validation_file', 'a string');
  return {
    model: requiredText(body, 'model'),
    trainingFile: requiredText(body, 'training_file'),
    validationFile,
    suffix,
    seed: typeof body.seed === 'number' ? body.seed : 42,
    epochs: chosen(hyperparameters, 'n_epochs', EPOCHS_DEFAULT),
    batchSize: chosen(hyperparameters, 'batch_size', 1),
    learningRateMultiplier: multiplier(hyperparameters.learning_rate_multiplier),
    metadata: readMetadata(body.metadata),
  };
}

function readHyperparameters(body: BodyFields): BodyFields {
  const { method } = body;
  if (method === undefined || method === null)
    return isFields(body.hyperparameters) ? body.hyperparameters : {};
  if (!isFields(method)) throw wrongType('method', 'an object');
  if (method.type !== 'supervised') throw wrongType('method.type', `'supervised'`);
  const { supervised = {} } = method;
  if (!isFields(supervised)) throw wrongType('method.supervised', 'an object');
  return isFields(supervised.hyperparameters) ? supervised.hyperparameters : {};
}

const chosen = (fields: BodyFields, name: string, usual: number): number =>
  fields[name] === 'auto' ? usual : (optionalCount(fields, name) ?? usual);

function multiplier(value: unknown): number {
  if (value === undefined || value === null || value === 'auto') return 1;
  if (typeof value !== 'number' || value <= 0)
    throw wrongType('learning_rate_multiplier', 'a positive number');
  return value;
}

function readMetadata(value: unknown): Readonly<Record<string, string>> | null {
  if (value === undefined || value === null) return null;
  if (!isFields(value)) throw missing('metadata');
  if (!Object.values(value).every((text) => typeof text === 'string')) throw wrongType('metadata', 'texts');
  return value as Readonly<Record<string, string>>;
}
