import { GatewayError } from '@svc/kernel';
import { type Hyperparameters } from '../provider/fine-tuning-provider';

type Choice = number | 'auto' | undefined;

/** As they are written. */
interface GivenHyperparameters {
  readonly n_epochs?: Choice;
  readonly batch_size?: Choice;
  readonly learning_rate_multiplier?: Choice;
}

interface GivenMethods {
  readonly hyperparameters?: GivenHyperparameters | undefined;
  readonly method?:
    | {
        readonly type: 'supervised';
        readonly supervised?: { readonly hyperparameters?: GivenHyperparameters | undefined } | undefined;
      }
    | undefined;
}

const METHOD = 'method.supervised.hyperparameters';

/**
 * The hyperparameters of a job, wherever they stand.
 * @throws GatewayError `invalidRequest` where they stand twice.
 */
export function hyperparametersOf({ hyperparameters, method }: GivenMethods): Hyperparameters {
  const ofMethod = method?.supervised?.hyperparameters;
  if (hyperparameters !== undefined && ofMethod !== undefined) {
    throw new GatewayError('invalidRequest', `hyperparameters: must not be given beside ${METHOD}.`, {
      param: 'hyperparameters',
    });
  }
  const given = ofMethod ?? hyperparameters;
  return {
    epochs: given?.n_epochs ?? 'auto',
    batchSize: given?.batch_size ?? 'auto',
    learningRateMultiplier: given?.learning_rate_multiplier ?? 'auto',
  };
}

interface EpochRange {
  readonly default: number;
  readonly max: number;
}

/**
 * How often the file is trained with, so that what is held is for exactly that.
 * @throws GatewayError `invalidRequest` for more than the provider takes.
 */
export function epochsOf({ epochs }: Hyperparameters, range: EpochRange, given: GivenMethods): number {
  if (epochs === 'auto') return range.default;
  if (epochs <= range.max) return epochs;
  const at = given.method?.supervised?.hyperparameters === undefined ? 'hyperparameters' : METHOD;
  const param = `${at}.n_epochs`;
  throw new GatewayError('invalidRequest', `${param}: must be at most ${String(range.max)} for this model.`, {
    param,
  });
}
