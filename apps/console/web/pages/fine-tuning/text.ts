import { formatCount, formatPlural } from '../../format/numbers';
import { type Job } from './tuning';

export const stateWords: Readonly<Record<Job['state'], string>> = {
  validating_files: 'Bringing its files',
  queued: 'Waiting',
  running: 'Training',
  succeeded: 'Succeeded',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

const significant = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });
const formatLoss = (loss: number): string => significant.format(loss);

const failures: Readonly<Record<NonNullable<Job['failure_code']>, string>> = {
  training_file_rejected: 'The provider does not take the training file.',
  provider_error: 'The provider failed.',
  provider_unreachable: 'The provider could not be reached for 72 hours.',
};

export const text = {
  title: 'Fine-tuning',
  purpose: 'Models that were trained with your own examples, and what that costs.',
  tabs: { label: 'What is shown', jobs: 'Jobs', models: 'Models', endpoints: 'Endpoints', files: 'Files' },
  jobs: {
    caption: 'Fine-tuning jobs',
    what: 'jobs',
    create: 'Create job',
    emptyTitle: 'No fine-tuning jobs yet',
    empty: 'A job trains a model of the catalog with a file of examples. Upload one with an API key first.',
    columns: { job: 'Job', state: 'State', result: 'Its model', cost: 'Cost', created: 'Created' },
    none: 'None',
    atMost: 'at most',
    filter: 'State',
  },
  models: {
    caption: 'Tuned models',
    emptyTitle: 'No tuned models yet',
    empty: 'A job that succeeds makes one. Calls name it as their model.',
    columns: {
      model: 'Model',
      base: 'Trained from',
      provider: 'Provider',
      job: 'Job',
      created: 'Created',
      actions: 'Actions',
    },
    place: (provider: string, region: string): string => `${provider} · ${region}`,
  },
  files: {
    caption: 'Training files',
    emptyTitle: 'No training files',
    empty: 'Upload a file of examples, one JSON object a line, with an API key: POST /v1/files.',
    columns: {
      name: 'File',
      examples: 'Examples',
      tokens: 'Tokens',
      used: 'Last used',
      expires: 'Kept until',
    },
    never: 'Never',
  },
  job: {
    title: 'Fine-tuning job',
    what: 'fine-tuning job',
    facts: 'Facts',
    id: 'Id',
    model: 'Trains',
    place: 'Where',
    file: 'Training file',
    validation: 'Validation file',
    epochs: 'Epochs',
    batch: 'Batch size',
    rate: 'Learning rate multiplier',
    auto: 'As the provider chooses',
    seed: 'Seed',
    result: 'Its model',
    why: 'Why it failed',
    failures,
    created: 'Created',
    finish: 'Ends about',
    ended: 'Ended',
    cost: 'Cost',
    held: 'Held, at most',
    charged: 'Charged',
    trained: 'Trained tokens',
    unknown: 'Not known yet',
    tokens: (count: number): string => formatPlural(count, 'token'),
    price: 'Price',
    priceOf: (dollars: string): string => `${dollars} a million trained tokens`,
    open: 'What is held is not charged. A job that fails costs nothing.',
    use: 'Try it in the playground',
  },
  losses: {
    title: 'Losses',
    none: 'The provider has not told any.',
    training: 'Training loss',
    validation: 'Validation loss',
    header: 'Step',
    step: (step: number): string => `Step ${formatCount(step)}`,
    loss: formatLoss,
    finding: (label: string, first: number, last: number, step: number): string => {
      const [from, to, by] = [formatLoss(first), formatLoss(last), formatCount(step)];
      if (last < first) return `${label} fell from ${from} to ${to} by step ${by}.`;
      if (last > first) return `${label} rose from ${from} to ${to} by step ${by}.`;
      return `${label} is ${to} at step ${by}.`;
    },
  },
  events: {
    title: 'Events',
    none: 'It has said nothing yet.',
    columns: { at: 'Time', level: 'Level', message: 'Message' },
    levels: { info: 'Info', warn: 'Warning', error: 'Error' },
  },
  cancel: {
    action: 'Cancel job',
    title: 'Cancel this job?',
    effect:
      'It ends once the provider confirms it. What is trained by then is charged where the provider reports it.',
    done: 'The provider is asked to cancel the job.',
    ended: 'It has ended.',
  },
  remove: {
    open: 'Delete',
    title: 'Delete this model?',
    effect:
      'Calls that name it are 404 from then on, and it is deleted at its provider. It cannot be brought back.',
    action: 'Delete model',
    done: 'Model deleted.',
  },
  form: {
    title: 'Create fine-tuning job',
    model: 'Model',
    noModel: 'Choose a model.',
    file: 'Training file',
    noFile: 'Choose a file.',
    validation: 'Validation file',
    validationHint: 'Another file, by which the provider measures. It may be left out.',
    epochs: 'Epochs',
    epochsHint: 'Empty: the default of the catalog.',
    suffix: 'Suffix',
    suffixHint: 'Stands in the name of the model: up to 18 of a to z, 0 to 9 and -.',
    fileNote: (lines: number, tokens: number): string =>
      `${formatPlural(lines, 'example')} · ${formatCount(tokens)} tokens`,
    held: 'What it costs at most is held in the wallet until it ends.',
    submit: 'Create job',
    created: 'Job created.',
  },
} as const;
